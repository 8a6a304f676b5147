internal import Logging
internal import PromisedAccess
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedWire

/// Administrators' sign-in on a connection, and its revocation (docs/protocol.md#administration).
struct AdminAccess: Sendable {
    let tokens: AdminTokens
    let connections: Connections
    let sender: Sender
    let revocation: Revocation
    let clock: any WallClock
    let settings: ServerSettings
    let log: Logger

    /// The administrator's secret in a `hello`, valid or not; nil for any other hello.
    func secret(in request: WireHello, on connection: Connection) -> String? {
        // The token of the upgrade is void once a user has signed in.
        let upgradeToken = connection.isSignedIn ? nil : connection.upgradeToken
        guard let token = request.token.isEmpty ? upgradeToken : request.token else { return nil }
        return AdminSecret.isMeant(by: token) ? token : nil
    }

    /// Handles a `hello` with an administrator's secret; on an administrator's connection also one without it.
    ///
    /// - Throws: `auth.token-invalid`, `auth.forbidden` on a user's connection.
    func hello(secret: String?, on connection: Connection) async throws -> Answer<WireContent> {
        guard connection.identity == nil else {
            throw RequestError(.authForbidden, message: "The connection is signed in as a user.")
        }
        guard let secret else { return .reply(.welcome(WireWelcome(connection, settings, at: clock.now))) }
        guard let secret = AdminSecret(secret) else { throw RequestError(.authTokenInvalid) }
        let token = try await tokens.good(secret)
        let limit = settings.limits.connectionsPerUser
        let surplus = connections.signIn(connection, as: Administrator(token), limit: limit)
        for oldest in surplus { sender.close(oldest, .tooManyConnections) }
        try await requireStillGood(secret)
        sender.admit(connection)
        await noteUse(of: token)
        return .reply(.welcome(WireWelcome(connection, settings, at: clock.now)))
    }

    /// Closes the connections that use a revoked token.
    func closeConnections(of token: AdminTokenID) {
        for connection in connections.everyConnection where connection.administrator?.tokenID == token {
            revocation.close(connection, because: .tokenRevoked)
        }
    }

    /// Sends a reply at once, for a connection that is closed right afterwards; 0 for no reply.
    func send(_ answer: AdminReply, to connection: SubscriberID, id: UInt32) {
        guard id != 0 else { return }
        var reply = WireAdminReply()
        reply.reply = answer
        sender.send(WireServerFrame(id: id, content: .admin(reply)), to: connection)
    }

    /// The token may have been revoked before this connection was registered under it.
    private func requireStillGood(_ secret: AdminSecret) async throws {
        do {
            _ = try await tokens.good(secret)
        } catch {
            var error = RequestError(error)
            error.closing = error.code == .authTokenInvalid ? .sessionRevoked : .noSignIn
            throw error
        }
    }

    /// A failure is only logged: an administrator must be able to sign in when the disk is full.
    private func noteUse(of token: AdminToken) async {
        do {
            try await tokens.noteUse(of: token.id)
        } catch {
            log.warning("The use of an administrator's token could not be recorded", metadata: ["error": "\(error)"])
        }
    }
}

/// The reply to an administrator's request, without its envelope.
typealias AdminReply = WireAdminReply.OneOf_Reply

/// The outcome of a form that was not refused.
typealias AdminAnswer = Answer<AdminReply>

extension AdminAnswer {
    /// The form succeeded; the reply has no content.
    static var done: AdminAnswer { .reply(.done(WireAdminDone())) }
}
