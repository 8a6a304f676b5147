internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// The final table, what may still change in it, and why it is as it is (domain §6.9, §8).
struct ResultRequests: Sendable {
    /// At most so many fixes on one page of an explanation (docs/protocol.md#requests).
    static let fixesPerPage = 500
    /// So many durable events are looked at for the revisions of one page.
    static let eventsPerPage = 1_000

    let replies: PromiseReplies
    let archive: StoreArchive
    let throttles: AccountThrottles
    /// The largest frame that may be sent, in bytes.
    let frameLimit: Int
    let explanations = Explanations()

    /// Answers `getResult`: for those who have a row, and for accepted participants while there is none yet.
    func getResult(_ request: WireGetResult, from caller: Caller) async throws(RequestError) -> WireContent? {
        let view = try await replies.view(of: try RequestError.promiseID(request.promiseID), for: caller.userID)
        try requirePart(of: caller.userID, in: view)
        guard let result = view.result else {
            throw RequestError(view.promise.cancelledAt == nil ? .resultNotFinal : .promiseClosed)
        }
        return .result(WireResult(result, card: replies.cards.card))
    }

    /// Answers `excuse`, with the table as it is then; before it is final, as it would be now.
    func excuse(_ request: WireExcuse, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        let userID = try RequestError.userID(request.userID)
        let reason = try PromiseDraft.clean(request.reason, .excuse)
        try await replies.perform(.excuse(userID, by: caller.userID, reason: reason), of: caller.userID, on: id)
        let view = try await replies.view(of: id, for: caller.userID)
        return .result(WireResult(view.result ?? view.presentTable, card: replies.cards.card))
    }

    /// Answers `explainArrival`: to the person themself, and to the owner about everybody.
    ///
    /// - Parameter isCounted: whether it is one of the few that a user has.
    func explain(
        _ request: WireExplainArrival,
        from caller: Caller,
        isCounted: Bool = true
    ) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        let userID = try RequestError.userID(request.userID)
        let cursor = try PageRequest.cursor(request.hasCursor ? request.cursor : "") { ExplanationCursor($0) }
        let view = try await replies.view(of: id, for: caller.userID)
        try requirePart(of: caller.userID, in: view)
        guard caller.userID == userID || view.promise.ownerID == caller.userID else {
            throw RequestError(.promiseNotOwner)
        }
        guard let member = view.members.first(where: { $0.participant.userID == userID }) else {
            throw RequestError(.userNotFound)
        }
        if isCounted {
            try RequestError.limited(.limitRate) { () throws(TooManyAttempts) in
                try throttles.explain(to: caller.userID)
            }
        }
        var reply = WireExplanation(member, of: view.promise, card: replies.cards.card(userID))
        var room = FrameRoom(frameLimit: frameLimit, for: caller.connection)
        _ = room.take(reply)
        var offset = 0
        switch cursor ?? .revisions(after: 0) {
        case .revisions(let seq):
            let (revisions, last) = try await revisions(of: userID, in: view.promise, after: seq, room: &room)
            reply.revisions = revisions
            if let last {
                reply.cursor = ExplanationCursor.revisions(after: last).description
                return .explanation(reply)
            }
        case .fixes(let from): offset = from
        }
        let subject = Explanations.Subject(connection: caller.connection.id, promise: id, user: userID)
        guard let explanation = try await explanation(subject, of: view.promise, isFirstPage: offset == 0, for: caller)
        else { return .explanation(reply) }
        for var fix in explanation.page(from: offset) {
            // A deleted user's device is nobody's business any more.
            if reply.user.deleted { fix.deviceID = "" }
            guard room.take(fix) else { break }
            reply.fixes.append(fix)
        }
        let next = offset + reply.fixes.count
        if next < explanation.count {
            reply.cursor = ExplanationCursor.fixes(from: next).description
        } else {
            await explanations.forget(subject)
        }
        return .explanation(reply)
    }

    private func requirePart(of userID: UserID, in view: SessionView) throws(RequestError) {
        let mine = try replies.part(of: userID, in: view).participant
        guard mine.membership == .accepted || mine.tookPart(from: view.promise.opensAt) else {
            throw RequestError(.promiseNotFound)
        }
    }

    /// The explanation whose first page was shown, else a new one; nil about somebody whom a block hides from the caller.
    private func explanation(
        _ subject: Explanations.Subject,
        of promise: Promise,
        isFirstPage: Bool,
        for caller: Caller
    ) async throws(RequestError) -> Explanations.Explanation? {
        let (refused, isHidden) = try await replies.registry.requested(promise.id) { session throws(EngineError) in
            (
                await session.refusedFixes(of: subject.user),
                await session.hidden(from: caller.userID).contains(subject.user)
            )
        }
        guard !isHidden else { return nil }
        if !isFirstPage, let known = await explanations.known(subject, of: promise) { return known }
        let kept = try await RequestError.stored { () async throws(StoreError) in
            try await archive.fixes(of: subject.user, in: promise.id)
        }
        return await explanations.explain(kept, refused: refused, of: promise, for: subject)
    }

    /// What the durable events after a number changed about somebody's arrival, as much of it as there is room for.
    ///
    /// - Returns: the revisions, and the number of the last event looked at when others follow.
    private func revisions(
        of userID: UserID,
        in promise: Promise,
        after seq: Int,
        room: inout FrameRoom
    ) async throws(RequestError) -> (revisions: [WireArrivalRevision], last: Int?) {
        var revisions: [WireArrivalRevision] = []
        var (last, seen) = (seq, 0)
        while seen < ResultRequests.eventsPerPage {
            let from = last
            let events = try await RequestError.stored { () async throws(StoreError) in
                try await replies.store.events(of: promise.id, after: from, limit: ResultRequests.eventsPerPage - seen)
            }
            guard !events.isEmpty else { return (revisions, nil) }
            for event in events {
                if let revision = WireArrivalRevision(event, of: userID, in: promise) {
                    guard room.take(revision) else { return (revisions, last) }
                    revisions.append(revision)
                }
                last = event.seq
            }
            seen += events.count
        }
        return (revisions, last)
    }
}

extension Explanations.Explanation {
    /// The fixes from a position on, as many as a page holds.
    fileprivate func page(from offset: Int) -> [WireExplainedFix] {
        let (first, end) = (min(offset, count), min(offset + ResultRequests.fixesPerPage, count))
        return (first..<end).map { index in
            index < judged.count ? WireExplainedFix(judged[index]) : WireExplainedFix(refused[index - judged.count])
        }
    }
}

extension SessionView {
    /// The table as it would be if the promise ended with what is known now.
    fileprivate var presentTable: PromiseResult {
        let arrivals = members.compactMap { member in
            member.arrival.map { (member.participant.userID, $0.arrival) }
        }
        return PromiseResult(
            deciding: promise,
            participants: members.map(\.participant),
            arrivals: Dictionary(uniqueKeysWithValues: arrivals)
        )
    }
}
