package import PromisedDomain

/// What a verified token of an outside issuer says, its instants on the server's clock.
package struct IssuerClaims: Sendable, Hashable {
    /// The issuer's name for the user: 1–255 characters.
    package let subject: String
    /// The sign-in that the token belongs to: the same for all tokens with the same `sid`, a token's own without one.
    package let signIn: SignInID
    /// The nickname the user would like, as the issuer knows it; not checked.
    package let preferredUsername: String?
    /// When the token was issued; nil when it does not say.
    package let issuedAt: Instant?
    /// From when on the token is refused, not counting the leeway.
    package let expiresAt: Instant
}
