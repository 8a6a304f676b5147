public import PromisedDomain

/// What an access token says about its bearer.
public struct AccessClaims: Sendable, Hashable {
    /// The user.
    public let user: UserID
    /// The sign-in the token belongs to; whether it still stands only the store knows.
    public let signIn: SignInID
    /// From when on the token is refused, on the server's clock.
    public let expiresAt: Instant
}
