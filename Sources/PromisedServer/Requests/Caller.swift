internal import PromisedDomain
internal import PromisedStore

/// A request that may be answered: who asks, and through which connection.
struct Caller: Sendable {
    let connection: Connection
    let userID: UserID
    let signIn: SignInID
    /// When the request was received.
    let now: Instant
    /// What the audit is told together with what is done, when an administrator acts in the user's place.
    var audit: AuditEntry?
}
