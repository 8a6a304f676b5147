internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

/// The requests for results, excuses and explanations (domain §6.9, §8).
struct ResultRequests: Sendable {
    /// The most fixes on one page of an explanation (docs/reference.md#requests).
    static let fixesPerPage = 500
    /// The most durable events searched for the revisions of one page.
    static let eventsPerPage = 1_000

    let results: Results

    func getResult(_ request: WireGetResult, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        return .reply(.result(WireResult(try await results.result(of: id, for: caller.userID))))
    }

    /// Answers `excuse` with the resulting table; before it is final, with the provisional one.
    func excuse(_ request: WireExcuse, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        let userID = try UserID(wire: request.userID, field: "userId")
        let shown = try await results.excuse(userID, in: id, because: request.reason, by: caller.userID)
        return .reply(.result(WireResult(shown)))
    }

    /// Answers `explainArrival`: for the participant, and for the owner about any participant.
    func explain(_ request: WireExplainArrival, from caller: Caller) async throws -> Answer<WireContent> {
        let reader = Results.Reader.user(caller.userID)
        return .reply(
            .explanation(try await explanation(request, for: reader, of: caller.subscriber, in: caller.frame))
        )
    }

    /// A page of an explanation: revisions first, then fixes. Each connection has its own list of fixes.
    func explanation(
        _ request: WireExplainArrival,
        for reader: Results.Reader,
        of subscriber: SubscriberID?,
        in frame: FrameFormat
    ) async throws -> WireExplanation {
        let connection = try subscriber.required
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        let userID = try UserID(wire: request.userID, field: "userId")
        let cursor = try PageRequest.cursor(request.cursor) { ExplanationCursor($0) }
        let explained = try await results.explained(userID, in: id, to: reader)
        let (promise, member, cards) = (explained.promise, explained.member, explained.cards)
        var reply = WireExplanation(member, of: promise, card: cards.card(userID))
        reply.cameTogether = explained.together.compactMap { pair in
            pair.pair.other(than: userID).map { WireCameTogether(pair, card: cards.card($0)) }
        }
        var capacity = FrameCapacity(frame)
        _ = capacity.take(reply)
        var offset = 0
        switch cursor ?? .revisions(after: 0) {
        case .revisions(let seq):
            let (revisions, last) = try await revisions(of: userID, in: promise, after: seq, capacity: &capacity)
            reply.revisions = revisions
            if let last {
                reply.cursor = ExplanationCursor.revisions(after: last).description
                return reply
            }
        case .fixes(let from): offset = from
        }
        let explanation = try await results.explanation(
            of: explained,
            on: connection,
            isFirstPage: offset == 0
        )
        guard let explanation else { return reply }
        reply.add(explanation.noArrival, unless: member.arrival)
        if let hold = explanation.hold { reply.hold = WireArrivalHold(hold.reason, decidedAt: hold.decidedAt) }
        _ = (capacity.take(reply.noArrival), capacity.take(reply.hold))
        for var fix in explanation.page(from: offset) {
            // Hides the device of a deleted user.
            if reply.user.deleted { fix.deviceID = "" }
            guard capacity.take(fix) else { break }
            reply.fixes.append(fix)
        }
        let next = offset + reply.fixes.count
        if next < explanation.count {
            reply.cursor = ExplanationCursor.fixes(from: next).description
        } else {
            await results.endExplanation(of: userID, in: id, on: connection)
        }
        return reply
    }

    /// The revisions of a user's arrival in the durable events after a number, as many as fit.
    ///
    /// - Returns: the revisions, and the number of the last searched event if more follow.
    private func revisions(
        of userID: UserID,
        in promise: Promise,
        after seq: Int,
        capacity: inout FrameCapacity
    ) async throws -> (revisions: [WireArrivalRevision], last: Int?) {
        var revisions: [WireArrivalRevision] = []
        var (last, seen) = (seq, 0)
        while seen < ResultRequests.eventsPerPage {
            let limit = ResultRequests.eventsPerPage - seen
            let events = try await results.events(of: promise.id, after: last, limit: limit)
            guard !events.isEmpty else { return (revisions, nil) }
            for event in events {
                if let revision = WireArrivalRevision(event, of: userID, in: promise) {
                    guard capacity.take(revision) else { return (revisions, last) }
                    revisions.append(revision)
                }
                last = event.seq
            }
            seen += events.count
        }
        return (revisions, last)
    }
}

/// The start of a page of an explanation.
enum ExplanationCursor: Equatable, CustomStringConvertible {
    /// The revisions in the durable events after a number.
    case revisions(after: Int)
    /// The fixes from a position on, counted from 0.
    case fixes(from: Int)

    /// A cursor from its opaque text; nil for any other text.
    init?(_ text: String) {
        let isOfRevisions = text.hasPrefix("r")
        guard let number = Int(isOfRevisions ? text.dropFirst() : text[...]), number >= 0 else { return nil }
        self = isOfRevisions ? .revisions(after: number) : .fixes(from: number)
    }

    var description: String {
        switch self {
        case .revisions(let seq): "r\(seq)"
        case .fixes(let position): "\(position)"
        }
    }
}

extension WireResult {
    /// A table as it is shown.
    init(_ shown: Results.Shown) { self.init(shown.result, card: shown.cards.card) }
}

extension Explanations.Explanation {
    /// The fixes from a position on, as many as fit on a page.
    fileprivate func page(from offset: Int) -> [WireExplainedFix] {
        // The offset comes from a client: it is clamped to the list before any arithmetic.
        let first = min(offset, count)
        return (first..<first + min(ResultRequests.fixesPerPage, count - first)).map { index in
            index < judged.count
                ? WireExplainedFix(judged[index], limitMetres: limitMetres)
                : WireExplainedFix(refused[index - judged.count])
        }
    }
}
