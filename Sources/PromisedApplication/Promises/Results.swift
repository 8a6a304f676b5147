package import PromisedAccess
package import PromisedDomain
package import PromisedEngine
internal import PromisedStore

/// The final table, what may still change in it, and why it is as it is (domain §6.9, §8).
package struct Results: Sendable {
    private let sessions: PromiseSessions
    private let archive: StoreArchive
    private let throttles: AccountThrottles
    private let explanations = Explanations()

    /// The results of the promises of these sessions.
    package init(sessions: PromiseSessions, archive: StoreArchive, throttles: AccountThrottles) {
        self.sessions = sessions
        self.archive = archive
        self.throttles = throttles
    }

    /// The table: for those who have a row, and for accepted participants while there is none yet.
    ///
    /// - Throws: `promiseNotFound`, `resultNotFinal`, `promiseClosed` (cancelled).
    package func result(of id: PromiseID, for userID: UserID) async throws -> PromiseResult {
        let (view, standing) = try await sessions.view(of: id, for: userID)
        try standing.requireRow()
        return try final(view)
    }

    /// The table, for whoever operates the server.
    ///
    /// - Throws: as ``result(of:for:)``.
    package func result(of id: PromiseID) async throws -> PromiseResult {
        try final(try await sessions.knownView(of: id))
    }

    private func final(_ view: SessionView) throws -> PromiseResult {
        guard let result = view.result else {
            throw view.promise.cancelledAt == nil ? Refusal.resultNotFinal : .promiseClosed
        }
        return result
    }

    /// The owner excuses somebody.
    ///
    /// - Returns: the table as it is then; before it is final, as it would be now.
    /// - Throws: `TextProblem`, and what the session refuses.
    package func excuse(
        _ excused: UserID,
        in id: PromiseID,
        because reason: String,
        by userID: UserID
    ) async throws -> PromiseResult {
        let reason = try TextRule.excuse.clean(reason)
        try await sessions.perform(.excuse(excused, by: userID, reason: reason), of: userID, on: id)
        let (view, _) = try await sessions.view(of: id, for: userID)
        return view.result ?? view.presentTable
    }

    // MARK: - Explaining

    /// Who asks why somebody's arrival is as it is.
    package enum Reader: Sendable {
        /// A participant: about themself, and as the owner about everybody; a few times a minute.
        case user(UserID)
        /// Whoever operates the server, shown what the participants themselves are shown.
        case administrator
    }

    /// What an explanation begins with: the promise and the participant it is about.
    ///
    /// - Throws: `promiseNotFound`, `promiseNotOwner`, `userNotFound`, `tooOften`.
    package func explained(
        _ userID: UserID,
        in id: PromiseID,
        to reader: Reader
    ) async throws -> (promise: Promise, member: SessionView.Member) {
        switch reader {
        case .administrator:
            let view = try await sessions.knownView(of: id)
            guard view.member(userID) != nil else { throw ActError.refused(.userNotFound, field: "userId") }
            return try await explained(userID, in: id, for: userID)
        case .user(let reader):
            let found = try await explained(userID, in: id, for: reader)
            do {
                try throttles.explain(to: reader)
            } catch {
                throw ActError.tooOften(retryAfter: error.retryAfter)
            }
            return found
        }
    }

    private func explained(
        _ userID: UserID,
        in id: PromiseID,
        for reader: UserID
    ) async throws -> (promise: Promise, member: SessionView.Member) {
        let (view, standing) = try await sessions.view(of: id, for: reader)
        try standing.requireRow()
        guard reader == userID || standing.part == .owner else { throw Refusal.promiseNotOwner }
        guard let member = view.member(userID) else { throw Refusal.userNotFound }
        return (view.promise, member)
    }

    /// The durable events after a number, at most `limit`.
    package func events(of id: PromiseID, after seq: Int, limit: Int) async throws -> [NumberedEvent] {
        try await sessions.store.events(of: id, after: seq, limit: limit)
    }

    /// The fixes of a participant with what the rule made of them: the list whose first page was shown, else a new one.
    ///
    /// - Parameters:
    ///   - connection: where the pages are shown; lists are kept for each.
    ///   - isFirstPage: whether fixes that came meanwhile may be in it.
    /// - Returns: nil about somebody whom a block hides from the reader.
    package func explanation(
        of userID: UserID,
        in promise: Promise,
        for reader: Reader,
        on connection: SubscriberID,
        isFirstPage: Bool
    ) async throws -> Explanations.Explanation? {
        let viewer = if case .user(let reader) = reader { reader } else { userID }
        let (refused, isHidden) = try await sessions.registry.withSession(of: promise.id) {
            session throws(EngineError) in
            (await session.refusedFixes(of: userID), await session.hidden(from: viewer).contains(userID))
        }
        guard !isHidden else { return nil }
        let subject = Explanations.Subject(connection: connection, promise: promise.id, user: userID)
        if !isFirstPage, let known = await explanations.known(subject, of: promise) { return known }
        let kept = try await archive.fixes(of: userID, in: promise.id)
        return await explanations.explain(kept, refused: refused, of: promise, for: subject)
    }

    /// The last page of an explanation was shown.
    package func endExplanation(of userID: UserID, in id: PromiseID, on connection: SubscriberID) async {
        await explanations.forget(Explanations.Subject(connection: connection, promise: id, user: userID))
    }

    /// A connection has ended: nothing is kept for its next page any more.
    package func forget(_ connection: SubscriberID) async { await explanations.forget(connection) }

    /// All positions of a promise that are kept.
    ///
    /// - Throws: `promiseNotFound`.
    package func positions(in id: PromiseID) async throws -> [ArchivedFix] {
        try await sessions.requireKnown(id)
        return try await archive.fixes(in: id)
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
