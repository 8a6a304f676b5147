internal import Logging
internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedStore
internal import PromisedTransport
internal import PromisedWire

/// How a connection comes to speak for an administrator, and ceases to (docs/protocol.md#administration).
struct AdminAccess: Sendable {
    let store: Store
    let connections: Connections
    let sender: Sender
    let revocation: Revocation
    let clock: any WallClock
    let settings: ServerSettings
    let log: Logger

    /// The text of an administrator's secret that a `hello` shows, good or not; nil when it is somebody else's hello.
    func secret(in request: WireHello, on connection: Connection) -> String? {
        // The token of the upgrade speaks for nobody who has signed in since.
        let upgradeToken = connection.isSignedIn ? nil : connection.upgradeToken
        guard let token = request.token.isEmpty ? upgradeToken : request.token else { return nil }
        return AdminSecret.isMeant(by: token) ? token : nil
    }

    /// Answers a `hello` with an administrator's secret, and on an administrator's connection also one without.
    ///
    /// - Throws: `auth.token-invalid`, `auth.forbidden` on a user's connection.
    func hello(secret: String?, on connection: Connection) async throws(RequestError) -> WireContent? {
        guard connection.identity == nil else {
            throw RequestError(.authForbidden, message: "The connection is signed in as a user.")
        }
        guard let secret else { return .welcome(welcome(connection)) }
        guard let hash = AdminSecret(secret)?.hash else { throw RequestError(.authTokenInvalid) }
        let token = try await goodToken(hash: hash)
        let limit = settings.limits.connectionsPerUser
        let surplus = connections.signIn(connection, as: Administrator(token), limit: limit)
        for oldest in surplus { sender.close(oldest, .tooManyConnections) }
        try await requireStillGood(hash: hash)
        sender.admit(connection)
        await noteUse(of: token)
        return .welcome(welcome(connection))
    }

    /// Closes the connections that live on a token that was revoked.
    func closeConnections(of token: AdminTokenID) {
        for connection in connections.everyConnection where connection.administrator?.tokenID == token {
            revocation.close(connection, because: .tokenRevoked)
        }
    }

    /// Sends a reply at once, because its connection is closed behind it.
    func send(_ answer: AdminReply, to caller: AdminCaller) {
        guard caller.requestID != 0 else { return }
        var reply = WireAdminReply()
        reply.reply = answer
        sender.send(WireServerFrame(id: caller.requestID, content: .admin(reply)), to: caller.connection)
    }

    private func goodToken(hash: [UInt8]) async throws(RequestError) -> AdminToken {
        let token = try await RequestError.stored { () async throws(StoreError) in
            try await store.adminToken(hash: hash)
        }
        guard let token, token.isGood(at: RealTime.now) else { throw RequestError(.authTokenInvalid) }
        return token
    }

    /// The token may have been revoked before this connection was among those that are closed for it.
    private func requireStillGood(hash: [UInt8]) async throws(RequestError) {
        do throws(RequestError) {
            _ = try await goodToken(hash: hash)
        } catch {
            var error = error
            error.closing = error.code == .authTokenInvalid ? .sessionRevoked : .noSignIn
            throw error
        }
    }

    /// Not worth a refusal: whoever comes because the disk is full must get in.
    private func noteUse(of token: AdminToken) async {
        do throws(StoreError) {
            try await store.noteUse(of: token.id, at: RealTime.now)
        } catch {
            log.warning("The use of an administrator's token was not noted", metadata: ["error": "\(error)"])
        }
    }

    private func welcome(_ connection: Connection) -> WireWelcome {
        var reply = WireWelcome()
        reply.serverTime = WireTimestamp(clock.now)
        reply.connectionID = connection.id.description
        reply.pingIntervalMs = settings.connection.ping.wireMs
        reply.reportIntervalMs = settings.report.interval.wireMs
        return reply
    }
}
