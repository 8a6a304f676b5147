package import PromisedAccess
package import PromisedDomain
package import PromisedEngine
internal import PromisedStore

/// The final table, its later changes, and the explanation of arrivals (domain §6.9, §8).
package struct Results: Sendable {
    private let sessions: PromiseSessions
    private let archive: StoreArchive
    private let throttles: AccountThrottles
    private let clock: any WallClock
    private let retention: TimeSpan
    private let explanations = Explanations()

    /// Creates the results of the promises of these sessions.
    ///
    /// - Parameter retention: how long positions are stored after the end of a promise.
    package init(
        sessions: PromiseSessions,
        archive: StoreArchive,
        throttles: AccountThrottles,
        clock: any WallClock,
        retention: TimeSpan
    ) {
        self.sessions = sessions
        self.archive = archive
        self.throttles = throttles
        self.clock = clock
        self.retention = retention
    }

    package struct Shown: Sendable {
        package let result: PromiseResult
        package let cards: ShownCards
    }

    /// The table: for users with a row, and for accepted participants before it exists. Throws `promiseNotFound`,
    /// `resultNotFinal`, `promiseClosed` (cancelled).
    package func result(of id: PromiseID, for userID: UserID) async throws -> Shown {
        let (view, standing) = try await sessions.view(of: id, for: userID)
        try standing.requireRow()
        return try await final(view)
    }

    /// The table, for administrators.
    ///
    /// - Throws: as ``result(of:for:)``.
    package func result(of id: PromiseID) async throws -> Shown {
        try await final(try await sessions.knownView(of: id))
    }

    private func final(_ view: SessionView) async throws -> Shown {
        guard let result = view.result else {
            throw view.promise.cancelledAt == nil ? Refusal.resultNotFinal : .promiseClosed
        }
        return Shown(result: result, cards: try await sessions.cards(of: view))
    }

    /// The owner excuses a participant.
    ///
    /// - Returns: the new table; before it is final, the provisional one.
    /// - Throws: `TextProblem`, and the session's refusals.
    package func excuse(
        _ excused: UserID,
        in id: PromiseID,
        because reason: String,
        by userID: UserID
    ) async throws -> Shown {
        let reason = try TextRule.excuse.clean(reason)
        try await sessions.perform(.excuse(excused, by: userID, reason: reason), of: userID, on: id)
        let (view, _) = try await sessions.view(of: id, for: userID)
        return Shown(result: view.result ?? view.presentTable, cards: try await sessions.cards(of: view))
    }

    // MARK: - Explaining

    package enum Reader: Sendable {
        /// A participant: reads their own explanation, the owner everyone's; a few per minute.
        case user(UserID)
        /// An administrator, who sees the participants' view.
        case administrator
    }

    /// The first part of an explanation.
    package struct Explained: Sendable {
        package let promise: Promise
        package let member: SessionView.Member
        /// The pairs in which the participant came together with another, without those hidden from the reader by a
        /// block.
        package let together: [CameTogether]
        /// `true` if a block hides the participant's fixes from the reader.
        package let isHidden: Bool
        package let cards: ShownCards
    }

    /// The first part of an explanation: the promise and the participant. Throws `promiseNotFound`, `promiseNotOwner`,
    /// `userNotFound`, `tooOften`.
    package func explained(_ userID: UserID, in id: PromiseID, to reader: Reader) async throws -> Explained {
        switch reader {
        case .administrator:
            let view = try await sessions.knownView(of: id)
            guard view.member(userID) != nil else { throw ApplicationError.refused(.userNotFound, field: "userId") }
            return try await explained(userID, in: id, for: userID)
        case .user(let reader):
            let found = try await explained(userID, in: id, for: reader)
            do {
                try throttles.explain(to: reader)
            } catch {
                throw ApplicationError.tooOften(retryAfter: error.retryAfter)
            }
            return found
        }
    }

    private func explained(_ userID: UserID, in id: PromiseID, for reader: UserID) async throws -> Explained {
        let (view, standing) = try await sessions.view(of: id, for: reader)
        try standing.requireRow()
        guard reader == userID || standing.part == .owner else { throw Refusal.promiseNotOwner }
        guard let member = view.member(userID) else { throw Refusal.userNotFound }
        let together = view.together.filter { pair in
            guard let other = pair.pair.other(than: userID) else { return false }
            return !standing.hidden.contains(userID) && !standing.hidden.contains(other)
        }
        return Explained(
            promise: view.promise,
            member: member,
            together: together,
            isHidden: standing.hidden.contains(userID),
            cards: try await sessions.cards(of: view)
        )
    }

    /// The durable events after a number, at most `limit`.
    package func events(of id: PromiseID, after seq: Int, limit: Int) async throws -> [NumberedEvent] {
        try await sessions.store.promises.events(of: id, after: seq, limit: limit)
    }

    /// A participant's fixes with the rule's verdicts: the list whose first page was shown, else a new one.
    ///
    /// - Parameters:
    ///   - explained: the first part of the explanation.
    ///   - connection: the reader's connection; each has its own lists.
    ///   - isFirstPage: `true` if fixes that arrived meanwhile may be included.
    /// - Returns: nil if a block hides the participant from the reader.
    package func explanation(
        of explained: Explained,
        on connection: SubscriberID,
        isFirstPage: Bool
    ) async throws -> Explanations.Explanation? {
        guard !explained.isHidden else { return nil }
        let (promise, userID) = (explained.promise, explained.member.participant.userID)
        let subject = Explanations.Subject(connection: connection, promise: promise.id, user: userID)
        if !isFirstPage, let known = await explanations.known(subject, of: promise) { return known }
        // Only a session has the refused fixes, and drops them at the end.
        let refused = await sessions.registry.liveSession(of: promise.id)?.refusedFixes(of: userID) ?? []
        let kept = try await archive.fixes(of: userID, in: promise.id)
        let now = clock.now
        let endedAt = promise.cancelledAt ?? promise.settlesAt
        return await explanations.explain(
            now < endedAt + retention ? kept : nil,
            refused: refused,
            of: promise,
            arrival: explained.member.arrival?.arrival,
            for: subject,
            at: now
        )
    }

    /// Drops an explanation whose last page was shown.
    package func endExplanation(of userID: UserID, in id: PromiseID, on connection: SubscriberID) async {
        await explanations.forget(Explanations.Subject(connection: connection, promise: id, user: userID))
    }

    /// Drops the explanations of a connection that has ended.
    package func forget(_ connection: SubscriberID) async { await explanations.forget(connection) }

    /// A page of the stored positions of a promise, in the order in which they were stored. Throws `promiseNotFound`.
    package func positions(
        in id: PromiseID,
        after cursor: FixCursor?,
        limit: Int
    ) async throws -> Page<ArchivedFix, FixCursor> {
        try await sessions.requireKnown(id)
        return try await archive.positions(in: id, after: cursor, limit: limit)
    }
}

extension SessionView {
    /// The table as it would be if the promise ended now.
    fileprivate var presentTable: PromiseResult {
        let arrivals = members.compactMap { member in
            member.arrival.map { (member.participant.userID, $0.arrival) }
        }
        return PromiseResult(
            deciding: promise,
            participants: members.map(\.participant),
            arrivals: Dictionary(uniqueKeysWithValues: arrivals),
            together: together.map(\.pair)
        )
    }
}
