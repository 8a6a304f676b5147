internal import PromisedApplication
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore

/// The reply to an administrator's request, without the message around it.
typealias AdminReply = WireAdminReply.OneOf_Reply

/// What becomes of a form that was not refused.
typealias AdminAnswer = Answer<AdminReply>

extension AdminAnswer {
    /// It was done, and there is nothing to tell of it.
    static var done: AdminAnswer { .reply(.done(WireAdminDone())) }
}

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
}
