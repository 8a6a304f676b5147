public import PromisedProtocol

/// A request of an administrator together with the kind of its reply.
///
/// Forms are made by the static functions, one for each: `client.administer(.findUsers(named: "ada"))`.
public struct AdminForm<Reply: Sendable>: Sendable {
    /// The request of the form.
    public let request: WireAdminRequest.OneOf_Request
    private let read: @Sendable (WireAdminReply.OneOf_Reply) -> Reply?

    init(
        _ request: WireAdminRequest.OneOf_Request,
        _ read: @escaping @Sendable (WireAdminReply.OneOf_Reply) -> Reply?
    ) {
        self.request = request
        self.read = read
    }

    /// The reply as this form's kind; nil if it is of another.
    public func reply(in reply: WireAdminReply) -> Reply? { reply.reply.flatMap(read) }
}

extension AdminForm {
    init(done request: WireAdminRequest.OneOf_Request) where Reply == WireAdminDone {
        self.init(request) { if case .done(let reply) = $0 { reply } else { nil } }
    }

    init(user request: WireAdminRequest.OneOf_Request) where Reply == WireAdminUser {
        self.init(request) { if case .user(let reply) = $0 { reply } else { nil } }
    }

    init(users request: WireAdminRequest.OneOf_Request) where Reply == WireAdminUsers {
        self.init(request) { if case .users(let reply) = $0 { reply } else { nil } }
    }

    init(promise request: WireAdminRequest.OneOf_Request) where Reply == WirePromiseReply {
        self.init(request) { if case .promise(let reply) = $0 { reply } else { nil } }
    }

    init(result request: WireAdminRequest.OneOf_Request) where Reply == WireResult {
        self.init(request) { if case .result(let reply) = $0 { reply } else { nil } }
    }
}

/// Administrators' requests; they need an administrator's token. Every call throws ``ClientError``.
extension PromisedClient {
    /// Says hello with an administrator's token, and again after each loss of the connection.
    ///
    /// - Parameter secret: the token; with it only administrators' forms and ``syncClock(_:)`` are allowed.
    /// - Throws: `auth.token-invalid` for one that is unknown, revoked or expired; `auth.forbidden` for a user's.
    public func signIn(administratorToken secret: String) async throws(ClientError) -> WireWelcome {
        let welcome = try await hello(accessToken: secret)
        // A user's token is accepted as well, but grants nothing here.
        guard !welcome.hasUser else { throw .refused(WireErrorReply(.authForbidden)) }
        var session = WireSession()
        session.accessToken = secret
        restore(session)
        return welcome
    }

    /// Sends a form and waits for its reply.
    ///
    /// The form is sent on the current connection only, and not repeated after a loss, because it may have been
    /// executed.
    ///
    /// - Throws: `disconnected` also without a connection; `auth.forbidden` without an administrator's token.
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
