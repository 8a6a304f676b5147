import PromisedDomain

/// What a verified token of an outside issuer says, its instants on the server's clock.
struct IssuerClaims: Sendable, Hashable {
    /// The issuer's name for the user: 1–255 characters.
    let subject: String
    /// The sign-in that the token belongs to: the same for all tokens with the same `sid`, a token's own without one.
    let signIn: SignInID
    /// The nickname the user would like, as the issuer knows it; not checked.
    let preferredUsername: String?
    /// When the token was issued; nil when it does not say.
    let issuedAt: Instant?
    /// From when on the token is refused, not counting the leeway.
    let expiresAt: Instant
}
