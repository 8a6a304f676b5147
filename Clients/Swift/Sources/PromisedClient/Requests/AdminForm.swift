public import PromisedProtocol

/// A request of an administrator together with the kind of its reply.
///
/// Forms are made by the static functions, one for each: `client.administer(.findUsers(named: "ada"))`.
public struct AdminForm<Reply: Sendable>: Sendable {
    /// What is asked.
    public let request: WireAdminRequest.OneOf_Request
    private let read: @Sendable (WireAdminReply.OneOf_Reply) -> Reply?

    init(
        _ request: WireAdminRequest.OneOf_Request,
        _ read: @escaping @Sendable (WireAdminReply.OneOf_Reply) -> Reply?
    ) {
        self.request = request
        self.read = read
    }

    /// The reply as this form's kind; nil when it is of another.
    public func reply(in reply: WireAdminReply) -> Reply? { reply.reply.flatMap(read) }
}

extension AdminForm where Reply == WireAdminDone {
    init(done request: WireAdminRequest.OneOf_Request) {
        self.init(request) { reply in
            guard case .done(let done) = reply else { return nil }
            return done
        }
    }
}

extension AdminForm where Reply == WireAdminUser {
    init(user request: WireAdminRequest.OneOf_Request) {
        self.init(request) { reply in
            guard case .user(let user) = reply else { return nil }
            return user
        }
    }
}

extension AdminForm where Reply == WireAdminUsers {
    init(users request: WireAdminRequest.OneOf_Request) {
        self.init(request) { reply in
            guard case .users(let users) = reply else { return nil }
            return users
        }
    }
}

extension AdminForm where Reply == WirePromiseReply {
    init(promise request: WireAdminRequest.OneOf_Request) {
        self.init(request) { reply in
            guard case .promise(let promise) = reply else { return nil }
            return promise
        }
    }
}

extension AdminForm where Reply == WireResult {
    init(result request: WireAdminRequest.OneOf_Request) {
        self.init(request) { reply in
            guard case .result(let result) = reply else { return nil }
            return result
        }
    }
}
