internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings

/// The user of an accepted request, and the data that the rules need about its way in.
struct Caller: Sendable {
    let userID: UserID
    let signIn: SignInID
    /// The client's address as text.
    let remoteAddress: String
    /// The device's id in the rules.
    let device: DeviceKey
    /// The device's readings of the server's clock, oldest first.
    let syncs: [ClockSync]
    let frame: FrameFormat
    /// The connection that can receive events; nil for a request without a connection.
    let subscriber: SubscriberID?
    /// When the request was received.
    let now: Instant

    /// The client's address in the form that throttles use.
    var address: ThrottleAddress { ThrottleAddress(remoteAddress) }
}

/// The administrator of an accepted request.
struct AdminCaller: Sendable {
    let administrator: Administrator
    /// The request's id; 0 if no reply is wanted.
    let requestID: UInt32
    let frame: FrameFormat
    /// The connection that can receive events; nil for a request without a connection.
    let subscriber: SubscriberID?
    /// When the request was received.
    let now: Instant

    /// The entry for the audit.
    ///
    /// - Parameters:
    ///   - action: the form's name.
    ///   - subject: the id of the changed object.
    ///   - detail: details for people, without secrets and without data that must be deleted with an account.
    func audit(_ action: String, of subject: String = "", detail: String = "") -> AuditEntry {
        AuditEntry(at: now, actor: administrator.name, action: action, subject: subject, detail: detail)
    }
}

/// An administrator's token on a connection.
struct Administrator: Hashable, Sendable {
    var tokenID: AdminTokenID
    /// Its holder or purpose.
    var name: String
    /// The first instant, in real time, at which it is invalid; nil for never.
    var expiresAt: Instant?

    init(_ token: AdminToken) {
        tokenID = token.id
        name = token.name
        expiresAt = token.expiresAt
    }
}

/// The form of the frames that a client receives.
struct FrameFormat: Sendable {
    let codec: WireCodec
    /// The largest frame, in bytes.
    let limit: Int
}

extension SubscriberID? {
    /// The connection. Throws `auth.forbidden` for a request without one.
    var required: SubscriberID {
        get throws(RequestError) {
            guard let self else { throw RequestError.needsConnection }
            return self
        }
    }
}

extension RequestError {
    /// Refuses a request without a connection.
    static var needsConnection: RequestError {
        RequestError(.authForbidden, message: "This request needs a connection: send it over a WebSocket.")
    }
}
