package import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedSettings
internal import PromisedStore

/// Codes for joining a promise (domain §4).
package struct Invites: Sendable {
    private let sessions: PromiseSessions
    private let throttle: CodeThrottle
    private let random: RandomSource

    package init(sessions: PromiseSessions, throttle: CodeThrottle, random: RandomSource) {
        self.sessions = sessions
        self.throttle = throttle
        self.random = random
    }

    /// Creates a code, which replaces the previous one.
    ///
    /// - Parameter milliseconds: its validity; nil: as long as joining is possible.
    /// - Throws: `promiseNotFound`, `promiseNotOwner`, `promiseClosed`, `invalid`.
    package func create(
        to id: PromiseID,
        by userID: UserID,
        expiringIn milliseconds: Double?,
        at now: Instant
    ) async throws -> (code: String, expiresAt: Instant?) {
        let promise = try await ownedPromise(id, of: userID)
        guard promise.cancelledAt == nil, now < promise.closesAt else { throw Refusal.promiseClosed }
        let expiresAt = try expiry(in: milliseconds, after: now)
        var generator = random
        let code = InviteCode(using: &generator).text
        try await sessions.store.promises.createInvite(code, to: id, expiresAt: expiresAt, now: now)
        return (code, expiresAt)
    }

    /// Revokes the code, if there is one.
    package func revoke(to id: PromiseID, by userID: UserID) async throws {
        _ = try await ownedPromise(id, of: userID)
        try await sessions.store.promises.revokeInvite(to: id)
    }

    /// Joins by a code. All reasons for a refusal give the same error, so that codes cannot be distinguished. Throws
    /// `codeInvalid`, `promiseLimit`, `TooManyAttempts`.
    package func join(by typed: String, _ userID: UserID, at now: Instant) async throws -> ShownPromise {
        let id = try await throttle.trying(by: userID) {
            let id = try await promise(behind: typed, at: now)
            try await refuseBlocked(userID, by: id)
            try await sessions.withRoom(for: userID, in: id, at: now) { hasRoom in
                try await sessions.admit([userID], by: .join(userID, hasRoom: hasRoom), to: id)
            }
            return id
        }
        // The owner may have removed the user by now; the join still succeeded.
        return try await sessions.show(id, to: userID, withOverlaps: true, evenIfGone: true)
    }

    private func promise(behind typed: String, at now: Instant) async throws -> PromiseID {
        guard let code = InviteCode(typed: typed),
            let id = try await sessions.store.promises.promise(invitedTo: code.text, at: now)
        else { throw Refusal.codeInvalid }
        return id
    }

    /// Refuses a user who blocks the owner, or is blocked by them.
    private func refuseBlocked(_ userID: UserID, by id: PromiseID) async throws {
        let owner = try await sessions.wholeView(of: id).promise.ownerID
        guard owner != userID else { return }
        guard try await sessions.store.friendships.blocks(among: [owner, userID]).isEmpty else {
            throw Refusal.codeInvalid
        }
    }

    private func ownedPromise(_ id: PromiseID, of userID: UserID) async throws -> Promise {
        let (view, standing) = try await sessions.view(of: id, for: userID)
        try standing.requireOwner()
        return view.promise
    }
}

/// The view link of a promise, and participants' consent to it (domain §4).
package struct ViewLinks: Sendable {
    private let sessions: PromiseSessions
    private let attempts: CodeAttempts
    private let random: RandomSource

    package init(sessions: PromiseSessions, attempts: CodeAttempts, random: RandomSource) {
        self.sessions = sessions
        self.attempts = attempts
        self.random = random
    }

    /// Creates a link, which replaces the previous one. It expires no later than the window ends.
    ///
    /// - Parameter milliseconds: its validity; nil: to the end of the window.
    /// - Throws: `promiseNotFound`, `promiseNotOwner`, `promiseClosed`, `invalid`.
    package func create(
        to id: PromiseID,
        by userID: UserID,
        expiringIn milliseconds: Double?,
        at now: Instant
    ) async throws -> (code: String, endsAt: Instant) {
        var generator = random
        let code = SecretCode(using: &generator)
        let expiresAt = try expiry(in: milliseconds, after: now)
        let link = ViewLink(codeHash: code.hash, createdAt: now, expiresAt: expiresAt)
        try await sessions.perform(.makeViewLink(link, by: userID), of: userID, on: id)
        return (code.text, link.end(in: try await sessions.wholeView(of: id).promise))
    }

    /// Revokes the link, if there is one.
    package func revoke(to id: PromiseID, by userID: UserID) async throws {
        try await sessions.perform(.revokeViewLink(by: userID), of: userID, on: id)
    }

    /// Sets whether viewers may see a participant.
    package func setSharing(in id: PromiseID, on: Bool, by userID: UserID) async throws {
        try await sessions.perform(.setLinkSharing(userID, on: on), of: userID, on: id)
    }

    /// Watches a promise by a link. All reasons for a refusal give the same error after the same query.
    ///
    /// - Parameter answer: called on the session, before any event reaches the viewer; must not wait.
    /// - Returns: the watched promise.
    /// - Throws: `codeInvalid`, `viewerLimit`, `TooManyAttempts`.
    package func watch(
        by sent: String,
        _ viewer: SubscriberID,
        from address: ThrottleAddress,
        at now: Instant,
        answer: @Sendable (LinkView) -> Void
    ) async throws -> PromiseID {
        let hash = SecretCode(sent: sent).hash
        return try await attempts.trying(by: address) {
            guard let id = try await sessions.store.promises.promise(watchedBy: hash, at: now) else {
                throw Refusal.codeInvalid
            }
            try await sessions.registry.withSession(of: id) { session throws(EngineError) in
                try await session.watch(viewer, by: hash, reply: answer)
            }
            return id
        }
    }

    /// Ends the watching of a viewer whose connection has ended.
    package func unwatch(_ id: PromiseID, _ viewer: SubscriberID) async {
        await sessions.registry.liveSession(of: id)?.unwatch(viewer)
    }
}

/// The expiry of a requested code. Throws `invalid`.
private func expiry(in milliseconds: Double?, after now: Instant) throws(Refusal) -> Instant? {
    guard let milliseconds else { return nil }
    guard milliseconds >= 1, milliseconds <= Double(PromiseLimits.furthestAhead.milliseconds) else {
        throw .invalid(field: "expiresInMs")
    }
    return now + .milliseconds(Int64(milliseconds))
}

extension WrongCodeCounting {
    /// Runs `body`, which tries a code; counts only wrong codes. Throws `TooManyAttempts`, and the errors of `body`.
    package func trying<Value: Sendable>(by key: Key, _ body: () async throws -> Value) async throws -> Value {
        let instant = try attempt(by: key)
        do {
            let value = try await body()
            giveBack(key, instant)
            return value
        } catch {
            if !isWrongCode(error) { giveBack(key, instant) }
            throw error
        }
    }

    /// `true` if an error means that the code was wrong, including a session's errors.
    private func isWrongCode(_ error: any Error) -> Bool {
        switch error {
        case Refusal.codeInvalid, EngineError.refused(.codeInvalid): true
        default: false
        }
    }
}
