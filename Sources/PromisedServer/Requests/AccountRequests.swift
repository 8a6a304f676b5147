internal import Logging
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedStore
internal import PromisedTransport
internal import PromisedWire

/// Signing up, in and out, and saying hello (domain §2, protocol §1).
struct AccountRequests: Sendable {
    let store: Store
    let connections: Connections
    let sender: Sender
    let hasher: PasswordHasher
    let signer: AccessTokenSigner
    let clock: any WallClock
    let settings: ServerConfiguration
    let throttles: AccountThrottles
    let log: Logger

    /// Answers `signUp`; the connection is signed in with it.
    func signUp(
        _ request: WireSignUp,
        _ connection: Connection,
        at now: Instant
    ) async throws(RequestError) -> WireContent? {
        guard connection.identity == nil else {
            throw RequestError(.authForbidden, message: "The connection is signed in already.")
        }
        let (email, nickname) = try checked(request)
        if let wait = throttles.signUp(from: connection.address) {
            throw RequestError(.limitAttempts, retryAfter: wait)
        }
        let hash = try await RequestError.hashed { () async throws(PasswordHasherError) in
            try await hasher.hash(request.password)
        }
        var generator = SystemRandomNumberGenerator()
        let account = NewAccount(
            id: UserID(at: now, using: &generator),
            email: email.text,
            emailKey: email.key,
            nickname: nickname.text,
            nicknameKey: nickname.key,
            passwordHash: hash,
            locale: "en",
            timeZone: "UTC",
            createdAt: now
        )
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.createUser(account)
        }
        switch outcome {
        case .created: break
        case .emailTaken: throw RequestError(.userEmailTaken, field: "email")
        case .nicknameTaken: throw RequestError(.userNicknameTaken, field: "nickname")
        }
        return try await openSession(of: account.id, on: connection)
    }

    /// Answers `signIn`. A wrong address and a wrong password are the same error and take the same time.
    func signIn(
        _ request: WireSignIn,
        _ connection: Connection,
        at now: Instant
    ) async throws(RequestError) -> WireContent? {
        let key = EmailAddress.key(for: String(request.email.prefix(EmailAddress.longest)))
        let reservation = try throttles.reserveSignIn(account: key, from: connection.address)
        let credential = try await RequestError.stored { () async throws(StoreError) in
            try await store.credential(emailKey: key)
        }
        guard let credential, request.password.count <= PasswordPolicy.length.upperBound else {
            try await RequestError.hashed { () async throws(PasswordHasherError) in
                try await hasher.verifyDummy(String(request.password.prefix(PasswordPolicy.length.upperBound)))
            }
            throw RequestError(.authInvalidCredentials)
        }
        let verdict = try await RequestError.hashed { () async throws(PasswordHasherError) in
            try await hasher.verify(request.password, against: credential.passwordHash)
        }
        guard verdict != .wrong, !credential.isDisabled else { throw RequestError(.authInvalidCredentials) }
        throttles.giveBack(reservation)
        if verdict == .rightButOutdated { try await renewHash(of: credential, password: request.password, at: now) }
        return try await openSession(of: credential.userID, on: connection)
    }

    /// Answers `refresh`: a new pair of tokens; the connection is signed in with it.
    func refresh(
        _ request: WireRefresh,
        _ connection: Connection,
        at now: Instant
    ) async throws(RequestError) -> WireContent? {
        guard let token = RefreshToken(request.refreshToken) else { throw RequestError(.authTokenInvalid) }
        var generator = SystemRandomNumberGenerator()
        let successor = RefreshToken(using: &generator)
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.rotateRefreshToken(
                hash: token.hash,
                newHash: successor.hash,
                newExpiry: refreshExpiry(at: now),
                now: now
            )
        }
        switch outcome {
        case .rotated(let userID, let signIn):
            return try await session(of: userID, signIn: signIn, refresh: successor, on: connection)
        case .reused(let userID, let signIn):
            log.notice("Refresh token was used twice, session revoked", metadata: ["user": "\(userID)"])
            closeConnections(of: userID, signIn: signIn, except: nil)
            throw RequestError(.authTokenInvalid)
        case .unknown, .expired, .revoked: throw RequestError(.authTokenInvalid)
        }
    }

    /// Answers `hello`: names the device, and signs in by token unless the connection is signed in already.
    func hello(
        _ request: WireHello,
        _ connection: Connection,
        at now: Instant
    ) async throws(RequestError) -> WireContent? {
        let device = try device(of: request, on: connection)
        let token = request.token.isEmpty ? connection.upgradeToken : request.token
        if let token {
            try signIn(connection, as: try await identity(by: token, at: now))
        }
        guard let identity = connection.identity else { throw RequestError(.authRequired) }
        connection.state.withLock { $0.device = device }
        return .welcome(try await welcome(identity, connection))
    }

    /// Answers `signOut`: ends the session and its other connections at once, this one after the reply (see the gateway).
    func signOut(_ caller: Caller) async throws(RequestError) -> WireContent? {
        _ = try await RequestError.stored { () async throws(StoreError) in
            try await store.revoke(caller.signIn, at: caller.now)
        }
        closeConnections(of: caller.userID, signIn: caller.signIn, except: caller.connection)
        return .done(WireDone())
    }

    // MARK: - Sessions

    private func openSession(of userID: UserID, on connection: Connection) async throws(RequestError) -> WireContent {
        var generator = SystemRandomNumberGenerator()
        let now = clock.now
        let refresh = RefreshToken(using: &generator)
        let session = AuthSession(id: SignInID(at: now, using: &generator), userID: userID, createdAt: now)
        try await RequestError.stored { () async throws(StoreError) in
            try await store.createAuthSession(
                session,
                refreshHash: refresh.hash,
                refreshExpiresAt: refreshExpiry(at: now)
            )
        }
        return try await self.session(of: userID, signIn: session.id, refresh: refresh, on: connection)
    }

    private func session(
        of userID: UserID,
        signIn id: SignInID,
        refresh: RefreshToken,
        on connection: Connection
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
        reply.user = WireUserCard(try await card(of: userID))
        try signIn(connection, as: Identity(userID: userID, signIn: id, expiresAt: access.expiresAt))
        return .session(reply)
    }

    /// A connection speaks for one user as long as it lives: what it subscribed to is theirs.
    private func signIn(_ connection: Connection, as identity: Identity) throws(RequestError) {
        if let current = connection.identity, current.userID != identity.userID {
            throw RequestError(.authForbidden, message: "The connection is signed in as somebody else.")
        }
        let surplus = connections.signIn(connection, as: identity, limit: settings.limits.connectionsPerUser)
        for oldest in surplus { sender.close(oldest, .tooManyConnections) }
        sender.admit(connection)
    }

    private func identity(by token: String, at now: Instant) async throws(RequestError) -> Identity {
        let claims: AccessClaims
        do {
            claims = try await signer.verify(token, at: now)
        } catch {
            throw RequestError(.authTokenInvalid)
        }
        let session = try await RequestError.stored { () async throws(StoreError) in
            try await store.authSession(claims.signIn)
        }
        guard let session, session.revokedAt == nil, session.userID == claims.user else {
            throw RequestError(.authTokenInvalid)
        }
        return Identity(userID: claims.user, signIn: claims.signIn, expiresAt: claims.expiresAt)
    }

    private func closeConnections(of userID: UserID, signIn: SignInID, except kept: Connection?) {
        for connection in connections.connections(of: userID)
        where connection !== kept && connection.identity?.signIn == signIn {
            sender.close(connection, .sessionRevoked)
        }
    }

    // MARK: - Parts

    private func checked(_ request: WireSignUp) throws(RequestError) -> (EmailAddress, Nickname) {
        do throws(TextProblem) {
            let email = try EmailAddress(request.email)
            try PasswordPolicy.check(request.password)
            return (email, try Nickname(request.nickname))
        } catch {
            throw RequestError(error)
        }
    }

    private func device(of request: WireHello, on connection: Connection) throws(RequestError) -> DeviceKey {
        do throws(TextProblem) {
            let boot = request.hasBootID && !request.bootID.isEmpty ? try TextRule.bootID.clean(request.bootID) : ""
            guard request.hasDeviceID, !request.deviceID.isEmpty else {
                return DeviceKey(deviceID: connection.state.withLock { $0.device.deviceID }, bootID: boot)
            }
            return DeviceKey(deviceID: try TextRule.deviceID.clean(request.deviceID), bootID: boot)
        } catch {
            throw RequestError(error)
        }
    }

    private func welcome(_ identity: Identity, _ connection: Connection) async throws(RequestError) -> WireWelcome {
        let unread = try await RequestError.stored { () async throws(StoreError) in
            try await store.unread(of: identity.userID, at: clock.now)
        }
        var reply = WireWelcome()
        reply.user = WireUserCard(try await card(of: identity.userID))
        reply.serverTime = WireTimestamp(clock.now)
        reply.connectionID = connection.id.description
        reply.pingIntervalMs = settings.connection.ping.wireMs
        reply.reportIntervalMs = settings.report.interval.wireMs
        reply.unread.friendRequests = UInt32(clamping: unread.friendRequests)
        reply.unread.invitations = UInt32(clamping: unread.invitations)
        return reply
    }

    private func card(of userID: UserID) async throws(RequestError) -> UserCard {
        let account = try await RequestError.stored { () async throws(StoreError) in try await store.account(userID) }
        guard let account, account.deletedAt == nil, account.disabledAt == nil else {
            throw RequestError(.authTokenInvalid)
        }
        return account.card
    }

    private func renewHash(of credential: Credential, password: String, at now: Instant) async throws(RequestError) {
        let hash = try await RequestError.hashed { () async throws(PasswordHasherError) in
            try await hasher.hash(password)
        }
        _ = try await RequestError.stored { () async throws(StoreError) in
            try await store.replacePasswordHash(of: credential.userID, credential.passwordHash, with: hash, at: now)
        }
    }

    /// Lifetimes of tokens are real durations, so they are longer on a faster clock.
    private func refreshExpiry(at now: Instant) -> Instant {
        now + .seconds(settings.tokens.refresh.seconds * clock.rate)
    }
}

extension RequestError {
    /// Runs work on the password hasher, its error as the answer to the request.
    @discardableResult
    static func hashed<Value: Sendable>(
        _ work: () async throws(PasswordHasherError) -> Value
    ) async throws(RequestError) -> Value {
        do throws(PasswordHasherError) {
            return try await work()
        } catch .overloaded {
            throw RequestError(.serverUnavailable, retryAfter: .seconds(1))
        } catch .cancelled {
            throw RequestError(.serverUnavailable)
        } catch {
            throw RequestError(.serverInternal)
        }
    }
}
