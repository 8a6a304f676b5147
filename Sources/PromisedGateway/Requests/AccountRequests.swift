internal import PromisedAccess
internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedWire

/// Sign-up, sign-in, sign-out and `hello` (domain §2, docs/protocol.md#connecting).
struct AccountRequests: Sendable {
    let accounts: Accounts
    let deletions: AccountDeletions
    let codes: SignInCodes
    let attempts: CodeAttempts
    let connections: Connections
    let sender: Sender
    let revocation: Revocation
    let clock: any WallClock
    let settings: ServerSettings

    /// Answers `signUp`; the connection is signed in with it.
    func signUp(_ request: WireSignUp, _ connection: Connection, at now: Instant) async throws -> Answer<WireContent> {
        try accounts.signIns.requireLocalAccounts()
        try requireSignedOut(connection)
        let asked = Accounts.SignUp(email: request.email, password: request.password, nickname: request.nickname)
        let origin = try origin(of: connection, secret: request.deviceSecret)
        return try await session(try await accounts.signUp(asked, from: origin, at: now), on: connection)
    }

    /// Answers `checkNickname`, before and after the sign-in.
    func checkNickname(_ request: WireCheckNickname, _ connection: Connection) async throws -> Answer<WireContent> {
        let (nickname, isFree) = try await accounts.checkNickname(
            request.nickname,
            for: connection.identity?.userID,
            from: connection.address
        )
        var reply = WireNicknameCheck()
        reply.nickname = nickname
        reply.free = isFree
        return .reply(.nickname(reply))
    }

    func signIn(_ request: WireSignIn, _ connection: Connection, at now: Instant) async throws -> Answer<WireContent> {
        let session = try await accounts.signIn(
            email: request.email,
            password: request.password,
            from: try origin(of: connection, secret: request.deviceSecret),
            at: now,
            isAllowed: { userID in try requireSamePerson(userID, on: connection) }
        )
        return try await self.session(session, on: connection)
    }

    /// Answers `exchangeCode`; the connection is signed in with it.
    func exchange(_ request: WireExchangeCode, _ connection: Connection) async throws -> Answer<WireContent> {
        try accounts.signIns.requireLocalAccounts()
        try requireSignedOut(connection)
        let session = try await accounts.exchange(
            request.code,
            of: codes,
            attempts,
            from: SignInOrigin(connection.address)
        )
        return try await self.session(session, on: connection)
    }

    /// Answers `refresh`: a new pair of tokens; the connection is signed in with it.
    func refresh(
        _ request: WireRefresh,
        _ connection: Connection,
        at now: Instant
    ) async throws -> Answer<WireContent> {
        let session = try await accounts.refresh(request.refreshToken, shownBy: connection.identity?.userID, at: now)
        return try await self.session(session, on: connection)
    }

    /// Answers `hello`: sets the device, and signs in by token unless the connection is already signed in.
    func hello(_ request: WireHello, _ connection: Connection, at now: Instant) async throws -> Answer<WireContent> {
        let device = try device(of: request, on: connection)
        // The token of the upgrade is void once a user has signed in.
        let upgradeToken = connection.identity == nil ? connection.upgradeToken : nil
        if let token = request.token.isEmpty ? upgradeToken : request.token {
            let endings = revocation.count
            try await signIn(connection, as: try await accounts.signIns.identity(by: token, at: now), since: endings)
        }
        guard let identity = connection.identity else { throw RequestError(.authRequired) }
        let welcome = try await welcome(identity, connection)
        connection.use(device)
        if request.hasDeviceID, !request.deviceID.isEmpty { replaceOthers(of: device, by: connection, identity) }
        return .reply(.welcome(welcome))
    }

    /// Answers `signOut`: ends the session and its other connections at once, this one after the reply (see the gateway).
    func signOut(_ caller: Caller, on connection: Connection) async throws -> Answer<WireContent> {
        try await accounts.signOut(caller.userID, caller.signIn, on: connection.id, at: caller.now)
        return .done
    }

    func listSessions(_ caller: Caller) async throws -> Answer<WireContent> {
        let connections = connections.connections(of: caller.userID)
        var reply = WireSessions()
        reply.sessions = try await accounts.openSignIns(of: caller.userID, at: caller.now).map { signIn in
            let newest = connections.last { $0.identity?.signIn == signIn.id }
            return WireOpenSession(signIn, isCurrent: signIn.id == caller.signIn, client: newest?.facts.client ?? "")
        }
        return .reply(.sessions(reply))
    }

    /// Answers `endSession`, also for a session that has ended; refuses the caller's own.
    func endSession(_ request: WireEndSession, from caller: Caller) async throws -> Answer<WireContent> {
        let id = request.hasSessionID ? try SignInID(wire: request.sessionID, field: "sessionId") : nil
        guard id != caller.signIn else {
            let message = "sessionId is the session of this connection: use signOut."
            throw ApplicationError.refused(.invalid(field: "sessionId"), message: message)
        }
        try await accounts.end(id, of: caller.userID, except: caller.signIn, at: caller.now)
        return .done
    }

    func changePassword(
        _ request: WireChangePassword,
        from caller: Caller,
        on connection: Connection
    ) async throws -> Answer<WireContent> {
        let session = try await accounts.changePassword(
            of: caller.userID,
            caller.signIn,
            from: request.oldPassword,
            to: request.newPassword,
            at: caller.address,
            caller.now
        )
        return try await self.session(session, on: connection)
    }

    /// Answers `deleteAccount`. Sends the reply itself, because it closes the connection afterwards. Replies `done`
    /// once the deletion is irreversible; the server finishes the remaining parts later.
    func delete(
        _ request: WireDeleteAccount,
        from caller: Caller,
        on connection: Connection,
        id: UInt32
    ) async throws -> Answer<WireContent> {
        try await deletions.delete(
            caller.userID,
            by: request.password,
            from: caller.address,
            on: connection.id,
            at: caller.now
        )
        if id != 0 { sender.send(WireServerFrame(id: id, content: .done(WireDone())), to: connection.id) }
        revocation.close(connection, because: .accountDeleted, telling: false)
        return .sent
    }

    // MARK: - Signing a connection in

    /// The reply with the tokens of a session; signs the connection in as its user.
    private func session(_ session: SignedIn, on connection: Connection) async throws -> Answer<WireContent> {
        try await signIn(connection, as: session.identity, since: session.endings)
        var reply = WireSession()
        reply.accessToken = session.access.text
        reply.accessExpiresAt = WireTimestamp(session.access.expiresAt)
        reply.refreshToken = session.refresh.text
        reply.user = WireUserCard(session.card)
        return .reply(.session(reply))
    }

    /// Signs a connection in as a user for its lifetime, because its subscriptions belong to that user.
    ///
    /// - Parameter endings: ``Revocation/count`` as it was before the identity was checked.
    private func signIn(_ connection: Connection, as identity: Identity, since endings: UInt64) async throws {
        try requireSamePerson(identity.userID, on: connection)
        let surplus = connections.signIn(connection, as: identity, limit: settings.limits.connectionsPerUser)
        for oldest in surplus { sender.close(oldest, .tooManyConnections) }
        guard revocation.count != endings else { return sender.admit(connection) }
        // A sign-in has ended meanwhile. If it is this one, no other code will close this connection.
        do {
            try await accounts.signIns.requireGood(identity)
        } catch {
            var error = RequestError(error)
            error.closing = error.code == .authTokenInvalid ? .sessionRevoked : .noSignIn
            throw error
        }
        sender.admit(connection)
    }

    /// Refuses a second user on a connection, before any work for that user.
    private func requireSamePerson(_ userID: UserID, on connection: Connection) throws {
        guard let current = connection.identity, current.userID != userID else { return }
        throw ApplicationError.somebodyElse
    }

    private func requireSignedOut(_ connection: Connection) throws {
        guard connection.identity == nil else { throw RequestError.signedInAlready }
    }

    // MARK: - Hello

    /// The caller of a sign-in, by its address and the secret of its device; an empty one counts as absent.
    private func origin(of connection: Connection, secret: String) throws(TextProblem) -> SignInOrigin {
        guard !secret.isEmpty else { return SignInOrigin(connection.address) }
        return SignInOrigin(connection.address, deviceSecret: try TextRule.deviceSecret.clean(secret))
    }

    /// Stores the device given in a `hello`; absent fields keep their values.
    private func device(of request: WireHello, on connection: Connection) throws(TextProblem) -> DeviceKey {
        var device = connection.device
        if request.hasDeviceID, !request.deviceID.isEmpty {
            let deviceID = try TextRule.deviceID.clean(request.deviceID)
            if deviceID != device.deviceID { device = DeviceKey(deviceID: deviceID) }
        }
        if request.hasBootID, !request.bootID.isEmpty {
            device = DeviceKey(deviceID: device.deviceID, bootID: try TextRule.bootID.clean(request.bootID))
        }
        return device
    }

    /// Closes the previous connection of a device that reconnects: the device lost it without noticing.
    private func replaceOthers(of device: DeviceKey, by connection: Connection, _ identity: Identity) {
        for other in connections.connections(of: identity.userID)
        where other !== connection && other.device.deviceID == device.deviceID {
            sender.close(other, .replaced)
        }
    }

    private func welcome(_ identity: Identity, _ connection: Connection) async throws -> WireWelcome {
        let (card, unread) = try await accounts.welcome(identity.userID)
        var reply = WireWelcome(connection, settings, at: clock.now)
        reply.user = WireUserCard(card)
        reply.unread.friendRequests = UInt32(clamping: unread.friendRequests)
        reply.unread.invitations = UInt32(clamping: unread.invitations)
        reply.unread.notifications = UInt32(clamping: unread.notifications)
        return reply
    }
}

extension RequestError {
    /// Refuses a signed-in connection.
    static var signedInAlready: RequestError {
        RequestError(.authForbidden, message: "The connection is already signed in.")
    }
}

extension WireOpenSession {
    /// A sign-in, and the program of its newest connection.
    fileprivate init(_ signIn: OpenSignIn, isCurrent: Bool, client: String) {
        self.init()
        sessionID = signIn.id.wireText
        createdAt = WireTimestamp(signIn.createdAt)
        expiresAt = WireTimestamp(signIn.expiresAt)
        current = isCurrent
        self.client = client
    }
}

extension WireWelcome {
    /// The reply to every `hello`.
    init(_ connection: Connection, _ settings: ServerSettings, at now: Instant) {
        self.init()
        serverTime = WireTimestamp(now)
        connectionID = connection.id.name
        pingIntervalMs = settings.connection.ping.wireMs
        reportIntervalMs = settings.report.interval.wireMs
    }
}
