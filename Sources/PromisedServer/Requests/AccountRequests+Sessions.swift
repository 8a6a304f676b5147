internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedStore
internal import PromisedWire

/// How a connection comes to speak for somebody.
extension AccountRequests {
    /// Begins a session of somebody whose password was just checked or made.
    func openSession(of userID: UserID, on connection: Connection) async throws(RequestError) -> WireContent {
        var generator = SystemRandomNumberGenerator()
        let endings = revocation.count
        let now = clock.now
        let refresh = RefreshToken(using: &generator)
        let session = AuthSession(id: SignInID(at: now, using: &generator), userID: userID, createdAt: now)
        let replaced = try await RequestError.stored { () async throws(StoreError) in
            try await store.createAuthSession(
                session,
                refreshHash: refresh.hash,
                refreshExpiresAt: refreshExpiry(at: now),
                limit: settings.limits.sessionsPerUser
            )
        }
        guard let replaced else { throw RequestError(.authInvalidCredentials) }
        if !replaced.isEmpty {
            revocation.close(connectionsOf: userID, because: .tooManySessions) { replaced.contains($0) }
        }
        return try await self.session(
            of: userID,
            signIn: session.id,
            refresh: refresh,
            on: connection,
            since: endings
        )
    }

    /// The reply that hands out the tokens of a session; the connection speaks for its user from now on.
    ///
    /// - Parameter endings: what ``Revocation/count`` was before the session was looked at.
    func session(
        of userID: UserID,
        signIn id: SignInID,
        refresh: RefreshToken,
        on connection: Connection,
        since endings: UInt64
    ) async throws(RequestError) -> WireContent {
        let access: AccessToken
        do {
            access = try await signer.issue(user: userID, signIn: id, at: clock.now)
        } catch {
            throw RequestError(.serverInternal)
        }
        var reply = WireSession()
        reply.accessToken = access.text
        reply.accessExpiresAt = WireTimestamp(access.expiresAt)
        reply.refreshToken = refresh.text
        reply.user = WireUserCard(try await usableCard(of: userID))
        let identity = Identity(userID: userID, signIn: id, expiresAt: access.expiresAt)
        try await signIn(connection, as: identity, since: endings)
        return .session(reply)
    }

    /// Has a connection speak for somebody, as long as it lives: what it subscribed to is theirs.
    ///
    /// - Parameter endings: what ``Revocation/count`` was before the identity was looked at.
    func signIn(
        _ connection: Connection,
        as identity: Identity,
        since endings: UInt64
    ) async throws(RequestError) {
        if let current = connection.identity, current.userID != identity.userID {
            throw RequestError(.authForbidden, message: "The connection is signed in as somebody else.")
        }
        let surplus = connections.signIn(connection, as: identity, limit: settings.limits.connectionsPerUser)
        for oldest in surplus { sender.close(oldest, .tooManyConnections) }
        guard revocation.count != endings else { return sender.admit(connection) }
        // Some sign-in was ended meanwhile; it may be this one, and then nobody else will close this connection.
        do throws(RequestError) {
            try await requireGood(identity)
        } catch {
            var error = error
            error.closing = error.code == .authTokenInvalid ? .sessionRevoked : .noSignIn
            throw error
        }
        sender.admit(connection)
    }

    /// Whom a token names, when its session and account are good.
    func identity(by token: String, at now: Instant) async throws(RequestError) -> Identity {
        guard token.utf8.count <= TextWeight.token else { throw RequestError(.authTokenInvalid) }
        if let outside { return try await outside.identity(by: token, at: now) }
        let claims: AccessClaims
        do {
            claims = try await signer.verify(token, at: now)
        } catch {
            throw RequestError(.authTokenInvalid)
        }
        let identity = Identity(userID: claims.user, signIn: claims.signIn, expiresAt: claims.expiresAt)
        try await requireGood(identity)
        return identity
    }

    /// The card of a user as whom somebody may be signed in.
    func usableCard(of userID: UserID) async throws(RequestError) -> UserCard {
        try usableCard(
            of: try await RequestError.stored { () async throws(StoreError) in try await store.account(userID) }
        )
    }

    /// The card of an account, when it may be used.
    func usableCard(of account: Account?) throws(RequestError) -> UserCard {
        guard let account, account.isUsable else { throw RequestError(.authTokenInvalid) }
        return account.card
    }

    /// Lifetimes of tokens are real durations, so they are longer on a faster clock.
    func refreshExpiry(at now: Instant) -> Instant {
        now + .seconds(settings.tokens.refresh.seconds * clock.rate)
    }

    /// - Throws: `auth.token-invalid` when the account is not usable, or the session of a local one was ended.
    private func requireGood(_ identity: Identity) async throws(RequestError) {
        let (session, account) = try await RequestError.stored { () async throws(StoreError) in
            try await store.authSession(identity.signIn, withAccountOf: identity.userID)
        }
        if outside == nil {
            guard let session, session.revokedAt == nil, session.userID == identity.userID else {
                throw RequestError(.authTokenInvalid)
            }
        }
        _ = try usableCard(of: account)
    }
}
