package import PromisedAccess
package import PromisedDomain
package import PromisedEngine
internal import PromisedStore

/// Participants' requests on the way: positions, sharing, status, troubles, reminders, check-ins.
package struct LiveActions: Sendable {
    private let sessions: PromiseSessions
    private let codes: CheckInCodes
    private let throttle: CodeThrottle
    private let notifications: NotificationQueue

    package init(
        sessions: PromiseSessions,
        codes: CheckInCodes,
        throttle: CodeThrottle,
        notifications: NotificationQueue
    ) {
        self.notifications = notifications
        self.sessions = sessions
        self.codes = codes
        self.throttle = throttle
    }

    // MARK: - Positions

    /// Passes a report to the session of a promise.
    ///
    /// - Parameter found: called with the session, which the caller may use directly for the next report.
    /// - Throws: `promiseNotFound`, and the refusals of the report.
    package func report(
        _ report: Report,
        from userID: UserID,
        in id: PromiseID,
        found: @Sendable (PromiseSession) -> Void
    ) async throws -> ReportReceipt {
        try await requirePart(of: userID, in: id)
        return try await sessions.registry.withSession(of: id) { session throws(EngineError) in
            found(session)
            return try ReportReceipt(try await session.perform(.report(from: userID, report)))
        }
    }

    /// Passes a report to all promises that are tracking or settling; a fix accepted by any of them is accepted. If any
    /// of them could accept the report later, refuses it as a whole: a repeat is harmless for the others. Throws
    /// `positionOutsideWindow`, and the refusal if all of them refuse it.
    package func reportToAll(_ report: Report, from userID: UserID) async throws -> ReportReceipt {
        try await sessions.requireAllSessions()
        let answers = await sessions.registry.fold(
            .report(from: userID, report),
            toAllOf: userID,
            upTo: LiveActions.fixesInOneGo / max(1, report.fixes.count),
            into: ReportAnswers()
        ) {
            $0.take($1)
        }
        return try answers.receipt()
    }

    /// The most positions judged without suspension for all promises of a user: some milliseconds.
    private static let fixesInOneGo = 1_600

    /// Subscribes to a promise.
    ///
    /// - Parameter answer: called on the session, before any event reaches the subscriber; must not wait.
    /// - Throws: `promiseNotFound`, `promiseNotAccepted`.
    package func subscribe(
        _ subscriber: SubscriberID,
        of userID: UserID,
        to id: PromiseID,
        since point: ResumePoint?,
        answer: @Sendable (Subscription) -> Void
    ) async throws {
        try await requirePart(of: userID, in: id)
        try await sessions.registry.withSession(of: id) { session throws(EngineError) in
            try await session.subscribe(subscriber, of: userID, since: point, reply: answer)
        }
    }

    /// Watches a promise as an administrator; nothing is hidden, and participants do not see it.
    ///
    /// - Parameter answer: as for ``subscribe(_:of:to:since:answer:)``.
    package func watch(
        _ watcher: SubscriberID,
        _ id: PromiseID,
        answer: @Sendable (Subscription) -> Void
    ) async throws {
        try await sessions.requireKnown(id)
        try await sessions.registry.withSession(of: id) { session throws(EngineError) in
            try await session.watch(watcher, reply: answer)
        }
    }

    /// Ends a subscription, if there is one.
    package func unsubscribe(_ subscriber: SubscriberID, from id: PromiseID) async {
        await sessions.registry.liveSession(of: id)?.unsubscribe(subscriber)
    }

    /// Ends one of a user's connections.
    package func noteConnectionEnd(of userID: UserID) async {
        for session in await sessions.registry.sessions(of: userID) { await session.noteConnectionEnd(of: userID) }
    }

    /// Checks membership: at once for a participant of a live session, otherwise by a read that costs the same for an
    /// unknown promise.
    private func requirePart(of userID: UserID, in id: PromiseID) async throws {
        if await sessions.registry.isLive(id, for: userID) { return }
        try await sessions.requirePart(of: userID, in: id)
    }

    // MARK: - Signals

    /// Switches sharing.
    package func setSharing(in id: PromiseID, on: Bool, by userID: UserID) async throws {
        try await sessions.perform(.setSharing(userID, on: on), of: userID, on: id)
    }

    /// Sets the text and emoji beside a name: nil leaves a value, empty removes it. Throws `TextProblem`, and the
    /// session's refusals.
    package func setStatus(in id: PromiseID, text: String?, emoji: String?, by userID: UserID) async throws {
        let text = try text.map { text throws in try TextRule.statusText.clean(text) }
        let emoji = try emoji.map { emoji throws in try TextRule.emoji.clean(emoji) }
        try await sessions.perform(.setStatus(userID, text: text, emoji: emoji), of: userID, on: id)
    }

    /// Reminds a participant.
    package func nudge(_ other: UserID, in id: PromiseID, by userID: UserID) async throws {
        try await sessions.perform(.nudge(from: userID, to: other), of: userID, on: id)
        notifications.raise(.nudged(id), for: [other], causedBy: userID)
    }

    /// Reports why positions are missing, for one promise, or for all that are tracking.
    package func reportTrouble(_ cause: PresenceCause, of userID: UserID, in id: PromiseID?) async throws {
        if let id { return try await sessions.perform(.trouble(userID, cause), of: userID, on: id) }
        try await sessions.requireAllSessions()
        let outcome = await sessions.registry.fold(
            .trouble(userID, cause),
            toAllOf: userID,
            upTo: .max,
            into: (isTaken: false, failure: EngineError?.none)
        ) { outcome, answer in
            switch answer {
            case .success: outcome.isTaken = true
            // The promise is not tracking: skip it.
            case .failure(.refused), .failure(.retired): break
            case .failure(let error): outcome.failure = error
            }
        }
        if let failure = outcome.failure { throw failure }
        guard outcome.isTaken else { throw EngineError.refused(.positionOutsideWindow) }
    }

    // MARK: - Arriving by hand (domain §6.7)

    /// Checks a participant in: by their latest position, or by the code of a participant who has arrived. Throws
    /// `promiseNotFound`, `promiseNotAccepted`, `positionOutsideWindow`, `codeInvalid`, `checkInNoFix`,
    /// `checkInTooFar`, `TooManyAttempts`.
    package func checkIn(
        _ userID: UserID,
        in id: PromiseID,
        by code: String?,
        at now: Instant
    ) async throws -> (arrival: RankedArrival, promise: Promise) {
        let (before, standing) = try await sessions.view(of: id, for: userID)
        try standing.requireIn()
        try standing.requireAccepted()
        guard before.promise.status(at: now) == .tracking else { throw Refusal.positionOutsideWindow }
        if let code {
            try await throttle.trying(by: userID) {
                guard codes.accepts(code, for: id, at: now) else { throw Refusal.codeInvalid }
            }
        }
        try await sessions.perform(.checkIn(userID, code == nil ? .myself : .peer), of: userID, on: id)
        let after = try await sessions.view(of: id, for: userID).view
        guard let arrival = after.member(userID)?.arrival else { throw ApplicationError.broken }
        return (arrival, after.promise)
    }

    /// The code by which others check in: only for a participant with a confirmed arrival. Throws `promiseNotFound`,
    /// `promiseNotAccepted`, `positionOutsideWindow`, `forbidden`.
    package func checkInCode(
        of id: PromiseID,
        for userID: UserID,
        at now: Instant
    ) async throws -> (code: String, expiresAt: Instant) {
        let (view, standing) = try await sessions.view(of: id, for: userID)
        try standing.requireIn()
        try standing.requireAccepted()
        guard view.promise.status(at: now) == .tracking else { throw Refusal.positionOutsideWindow }
        guard view.member(userID)?.arrival?.arrival.stage == .confirmed else {
            throw ApplicationError.refused(
                .forbidden,
                message: "Only participants with a confirmed arrival can show the code."
            )
        }
        let (code, expiresAt) = codes.code(of: id, at: now)
        return (code, expiresAt)
    }
}

extension SessionView {
    func member(_ userID: UserID) -> Member? { members.first { $0.participant.userID == userID } }
}

extension ReportReceipt {
    /// The content of a session's reply to a report. Throws `refused`.
    package init(_ reply: SessionReply) throws(EngineError) {
        switch reply {
        case .reported(let receipt): self = receipt
        case .refused(let refusal): throw .refused(refusal)
        case .done: self.init()
        }
    }
}
