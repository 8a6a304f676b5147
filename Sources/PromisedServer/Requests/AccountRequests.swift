internal import Logging
internal import PromisedAccess
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedStore
internal import PromisedTransport
internal import PromisedWire

/// Signing up, in and out, and saying hello (domain §2, docs/protocol.md#connecting).
struct AccountRequests: Sendable {
    let store: Store
    let connections: Connections
    let sender: Sender
    let hasher: PasswordHasher
    let signer: AccessTokenSigner
    /// The accounts of an outside issuer; nil where people sign up and in here.
    let outside: OutsideAccounts?
    let revocation: Revocation
    let clock: any WallClock
    let settings: ServerSettings
    let throttles: AccountThrottles
    let log: Logger

    /// Answers `signUp`; the connection is signed in with it.
    func signUp(
        _ request: WireSignUp,
        _ connection: Connection,
        at now: Instant
    ) async throws(RequestError) -> WireContent? {
        try requireLocalAccounts()
        guard connection.identity == nil else {
            throw RequestError(.authForbidden, message: "The connection is signed in already.")
        }
        // Asked before anything is folded, and counted once there is something to make.
        try RequestError.limited { () throws(TooManyAttempts) in try throttles.requireSignUp(from: connection.address) }
        _ = try checked(request)
        if let wait = throttles.signUp(from: connection.address) {
            throw RequestError(.limitAttempts, retryAfter: wait)
        }
        let userID = try await register(request, for: throttles.caller(at: connection.address), at: now)
        return try await openSession(of: userID, on: connection)
    }

    /// Makes an account, everything asked for checked.
    ///
    /// - Parameters:
    ///   - caller: the one the password is hashed for.
    ///   - audit: what the audit is told with it, when an administrator does it.
    /// - Throws: `request.invalid`, `user.email-taken`, `user.nickname-taken`.
    func register(
        _ request: WireSignUp,
        for caller: PasswordCaller,
        at now: Instant,
        audit: (UserID) -> AuditEntry? = { _ in nil }
    ) async throws(RequestError) -> UserID {
        try requireLocalAccounts()
        let (email, nickname) = try checked(request)
        let hash = try await RequestError.hashed { () async throws(PasswordHasherError) in
            try await hasher.hash(request.password, for: caller)
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
        let entry = audit(account.id)
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.createUser(account, audit: entry)
        }
        try outcome.requireCreated()
        return account.id
    }

    /// Answers `signIn`. A wrong address and a wrong password are the same error and take the same time.
    func signIn(
        _ request: WireSignIn,
        _ connection: Connection,
        at now: Instant
    ) async throws(RequestError) -> WireContent? {
        try requireLocalAccounts()
        try RequestError.checked { () throws(TextProblem) in try PasswordPolicy.checkSize(request.password) }
        try RequestError.limited { () throws(TooManyAttempts) in try throttles.requireSignIn(from: connection.address) }
        let key = try RequestError.checked { () throws(TextProblem) in try EmailAddress.key(lookedUp: request.email) }
        let reservation = try RequestError.limited { () throws(TooManyAttempts) in
            try throttles.reserveSignIn(account: key, from: connection.address)
        }
        let checked = try await reserved(reservation) { () async throws(RequestError) in
            let credential = try await RequestError.stored { () async throws(StoreError) in
                try await store.credential(emailKey: key)
            }
            return try await check(request.password, against: credential, reservation)
        }
        try requireSamePerson(checked.credential.userID, on: connection)
        if checked.verdict == .rightButOutdated {
            try await renewHash(of: checked.credential, password: request.password, at: now)
        }
        return try await openSession(of: checked.credential.userID, on: connection)
    }

    /// Answers `refresh`: a new pair of tokens; the connection is signed in with it.
    func refresh(
        _ request: WireRefresh,
        _ connection: Connection,
        at now: Instant
    ) async throws(RequestError) -> WireContent? {
        try requireLocalAccounts()
        guard let token = RefreshToken(request.refreshToken) else { throw RequestError(.authTokenInvalid) }
        let endings = revocation.count
        var generator = SystemRandomNumberGenerator()
        let successor = token.successor(using: &generator)
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.rotateRefreshToken(
                token.hash,
                to: successor.hash,
                newExpiry: refreshExpiry(at: now),
                now: now,
                overlap: .seconds(settings.tokens.overlap.seconds * clock.rate),
                of: connection.identity?.userID,
                isAllowed: { [throttles] in throttles.refresh($0) }
            )
        }
        switch outcome {
        case .rotated(let userID, let signIn):
            return try await session(of: userID, signIn: signIn, refresh: successor, on: connection, since: endings)
        case .reused(let userID, let signIn):
            log.notice("Refresh token was used twice, session revoked", metadata: ["user": "\(userID)"])
            revocation.close(connectionsOf: userID, because: .tokenReused) { $0 == signIn }
            throw RequestError(.authTokenInvalid)
        case .foreign: throw RequestError(.authForbidden, message: "The connection is signed in as somebody else.")
        case .tooOften(let signIn): throw RequestError(.limitRate, retryAfter: throttles.refreshWait(of: signIn))
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
        // The token of the upgrade speaks for nobody who has signed in since.
        let upgradeToken = connection.identity == nil ? connection.upgradeToken : nil
        if let token = request.token.isEmpty ? upgradeToken : request.token {
            let endings = revocation.count
            try await signIn(connection, as: try await identity(by: token, at: now), since: endings)
        }
        guard let identity = connection.identity else { throw RequestError(.authRequired) }
        let welcome = try await welcome(identity, connection)
        connection.state.withLock { $0.device = device }
        if request.hasDeviceID, !request.deviceID.isEmpty { replaceOthers(of: device, by: connection, identity) }
        return .welcome(welcome)
    }

    /// Answers `signOut`: ends the session and its other connections at once, this one after the reply (see the gateway).
    /// A token of an outside issuer stays good there; only its connections end.
    func signOut(_ caller: Caller) async throws(RequestError) -> WireContent? {
        _ = try await RequestError.stored { () async throws(StoreError) in
            try await store.revoke(caller.signIn, at: caller.now)
        }
        revocation.close(connectionsOf: caller.userID, because: .signedOut, except: caller.connection) {
            $0 == caller.signIn
        }
        return .done(WireDone())
    }

    // MARK: - Parts

    func requireLocalAccounts() throws(RequestError) {
        if outside != nil { throw RequestError(.authLocalAccountsOff) }
    }

    /// What a sign-up asks for, in the forms that are stored.
    func checked(_ request: WireSignUp) throws(RequestError) -> (EmailAddress, Nickname) {
        do throws(TextProblem) {
            let email = try EmailAddress(request.email)
            try PasswordPolicy.check(request.password)
            return (email, try Nickname(request.nickname))
        } catch {
            throw RequestError(error)
        }
    }

    /// A connection speaks for one person as long as it lives; asked before anything is done for another.
    private func requireSamePerson(_ userID: UserID, on connection: Connection) throws(RequestError) {
        guard let current = connection.identity, current.userID != userID else { return }
        throw RequestError(.authForbidden, message: "The connection is signed in as somebody else.")
    }

    /// What a `hello` says of the device; what it leaves out stays as it was, for a later one replaces nothing.
    private func device(of request: WireHello, on connection: Connection) throws(RequestError) -> DeviceKey {
        var device = connection.state.withLock { $0.device }
        do throws(TextProblem) {
            if request.hasDeviceID, !request.deviceID.isEmpty {
                let deviceID = try TextRule.deviceID.clean(request.deviceID)
                if deviceID != device.deviceID { device = DeviceKey(deviceID: deviceID) }
            }
            if request.hasBootID, !request.bootID.isEmpty {
                device = DeviceKey(deviceID: device.deviceID, bootID: try TextRule.bootID.clean(request.bootID))
            }
            return device
        } catch {
            throw RequestError(error)
        }
    }

    /// A device that comes back has no use for the connection it lost without knowing.
    private func replaceOthers(of device: DeviceKey, by connection: Connection, _ identity: Identity) {
        for other in connections.connections(of: identity.userID)
        where other !== connection && other.state.withLock({ $0.device.deviceID }) == device.deviceID {
            sender.close(other, .replaced)
        }
    }

    private func welcome(_ identity: Identity, _ connection: Connection) async throws(RequestError) -> WireWelcome {
        let (account, unread) = try await RequestError.stored { () async throws(StoreError) in
            try await store.account(identity.userID, withUnreadAt: clock.now)
        }
        var reply = WireWelcome()
        reply.user = WireUserCard(try usableCard(of: account))
        reply.serverTime = WireTimestamp(clock.now)
        reply.connectionID = connection.id.description
        reply.pingIntervalMs = settings.connection.ping.wireMs
        reply.reportIntervalMs = settings.report.interval.wireMs
        reply.unread.friendRequests = UInt32(clamping: unread.friendRequests)
        reply.unread.invitations = UInt32(clamping: unread.invitations)
        return reply
    }
}

extension SignUpOutcome {
    /// - Throws: `user.email-taken`, `user.nickname-taken`.
    func requireCreated() throws(RequestError) {
        switch self {
        case .created: return
        case .emailTaken: throw RequestError(.userEmailTaken, field: "email")
        case .nicknameTaken: throw RequestError(.userNicknameTaken, field: "nickname")
        }
    }
}
