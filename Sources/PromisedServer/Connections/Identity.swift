internal import PromisedDomain

/// Who a connection speaks for.
struct Identity: Hashable, Sendable {
    /// The user.
    var userID: UserID
    /// The sign-in session that the token names.
    var signIn: SignInID
    /// When the token expires, on the server's clock.
    var expiresAt: Instant
}
