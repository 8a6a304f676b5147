public import PromisedProtocol

/// Administrators' requests; they need an administrator's token. Every call throws ``ClientError``.
extension PromisedClient {
    /// Says hello with an administrator's token, and again after each loss of the connection.
    ///
    /// - Parameter secret: the token; with it only administrators' forms and ``syncClock(_:)`` are allowed.
    /// - Throws: `auth.token-invalid` for one that is unknown, revoked or expired; `auth.forbidden` for a user's.
    public func signIn(administratorToken secret: String) async throws(ClientError) -> WireWelcome {
        let welcome = try await hello(accessToken: secret)
        // A user's token is taken as well, but opens nothing here.
        guard !welcome.hasUser else { throw .refused(WireErrorReply(.authForbidden)) }
        var session = WireSession()
        session.accessToken = secret
        restore(session)
        return welcome
    }

    /// Sends a form and waits for its reply.
    ///
    /// The form goes out on the present connection only: when that is lost it is not repeated, for nobody knows whether
    /// it was carried out.
    ///
    /// - Throws: `disconnected` also when there is no connection; `auth.forbidden` without an administrator's token.
    public func administer<Reply>(_ form: AdminForm<Reply>) async throws(ClientError) -> Reply {
        let content = try await call(on: connectionCount) {
            var request = WireAdminRequest()
            request.request = form.request
            return .admin(request)
        }
        guard case .admin(let content) = content, let reply = form.reply(in: content) else { throw .unexpectedReply }
        return reply
    }
}
