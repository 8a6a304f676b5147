internal import PromisedDomain
internal import PromisedEngine
internal import PromisedStore
internal import PromisedWire

/// The final table, what may still change in it, and why it is as it is (domain §6.9, §8).
struct ResultRequests: Sendable {
    /// At most so many fixes on one page of an explanation (docs/protocol.md#requests).
    static let fixesPerPage = 500
    /// No promise has more durable events than this that concern one person.
    static let revisionLimit = 10_000

    let replies: PromiseReplies
    let archive: StoreArchive

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
    func explain(_ request: WireExplainArrival, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        let userID = try RequestError.userID(request.userID)
        let offset = try PageRequest.cursor(request.hasCursor ? request.cursor : "") { Int($0) } ?? 0
        guard offset >= 0 else { throw RequestError(.requestInvalid, field: "cursor") }
        let view = try await replies.view(of: id, for: caller.userID)
        try requirePart(of: caller.userID, in: view)
        guard caller.userID == userID || view.promise.ownerID == caller.userID else {
            throw RequestError(.promiseNotOwner)
        }
        guard let member = view.members.first(where: { $0.participant.userID == userID }) else {
            throw RequestError(.userNotFound)
        }
        var reply = WireExplanation(member, of: view.promise, card: replies.cards.card(userID))
        reply.revisions = try await revisions(of: userID, in: view.promise)
        let fixes = try await fixes(of: userID, in: view.promise, for: caller)
        reply.fixes = Array(fixes.dropFirst(offset).prefix(ResultRequests.fixesPerPage))
        let next = offset + reply.fixes.count
        reply.cursor = next < fixes.count ? String(next) : ""
        return .explanation(reply)
    }

    private func requirePart(of userID: UserID, in view: SessionView) throws(RequestError) {
        let mine = try replies.part(of: userID, in: view).participant
        guard mine.membership == .accepted || mine.tookPart(from: view.promise.opensAt) else {
            throw RequestError(.promiseNotFound)
        }
    }

    /// What is kept of the fixes, and what was refused; nothing of whom a block hides from the caller.
    private func fixes(
        of userID: UserID,
        in promise: Promise,
        for caller: Caller
    ) async throws(RequestError) -> [WireExplainedFix] {
        let (refused, isHidden) = try await replies.registry.requested(promise.id) { session throws(EngineError) in
            (await session.refusedFixes(of: userID), await session.hidden(from: caller.userID).contains(userID))
        }
        guard !isHidden else { return [] }
        let kept = try await RequestError.stored { () async throws(StoreError) in
            try await archive.fixes(of: userID, in: promise.id)
        }
        let explained = ExplainedFix.explain(kept, of: promise).map { WireExplainedFix($0) }
        return explained + refused.map { WireExplainedFix($0) }
    }

    private func revisions(of userID: UserID, in promise: Promise) async throws(RequestError) -> [WireArrivalRevision] {
        let events = try await RequestError.stored { () async throws(StoreError) in
            try await replies.store.events(of: promise.id, after: 0, limit: ResultRequests.revisionLimit)
        }
        return events.compactMap { WireArrivalRevision($0, of: userID, in: promise) }
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
