internal import PromisedDomain

/// A request that may be answered: who asks, and through which connection.
struct Caller: Sendable {
    let connection: Connection
    let userID: UserID
    let signIn: SignInID
    /// When the request was received.
    let now: Instant
}
