internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore

/// The reply to an administrator's request, without the message around it.
typealias AdminReply = WireAdminReply.OneOf_Reply

/// An administrator's request that may be answered: who asks, and through which connection.
struct AdminCaller: Sendable {
    let connection: Connection
    let administrator: Administrator
    /// The request's id; 0 when no reply is wanted.
    let requestID: UInt32
    /// When the request was received.
    let now: Instant

    /// What the audit is told.
    ///
    /// - Parameters:
    ///   - action: the form's name.
    ///   - subject: the id of what is changed.
    ///   - detail: more for people; no secret, and nothing that must go with an account.
    func audit(_ action: String, of subject: String = "", detail: String = "") -> AuditEntry {
        AuditEntry(at: now, actor: administrator.name, action: action, subject: subject, detail: detail)
    }

    /// The administrator in the place of a user.
    ///
    /// - Parameter audit: written together with what is done, where the store does it in one transaction.
    func acting(as userID: UserID, audit: AuditEntry? = nil) -> Caller {
        let id = administrator.tokenID
        let signIn = SignInID(high: id.high, low: id.low)
        return Caller(connection: connection, userID: userID, signIn: signIn, now: now, audit: audit)
    }
}
