package import PromisedDomain

/// What an access token says about its bearer.
package struct AccessClaims: Sendable, Hashable {
    /// The user.
    package let user: UserID
    /// The sign-in the token belongs to; whether it still stands only the store knows.
    package let signIn: SignInID
    /// From when on the token is refused, on the server's clock.
    package let expiresAt: Instant
}
