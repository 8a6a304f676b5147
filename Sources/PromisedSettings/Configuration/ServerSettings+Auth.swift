extension ServerSettings {
    /// Who knows the users (domain §2).
    package struct Auth: Sendable, Hashable {
        /// Where accounts come from.
        package enum Accounts: String, Sendable, Hashable, CaseIterable {
            /// People sign up and in here.
            case local
            /// An outside issuer's tokens name them.
            case issuer
        }

        /// Where accounts come from.
        package var accounts = Accounts.local
        /// The outside issuer; looked at only when accounts come from it.
        package var issuer = Issuer()
    }

    /// An outside issuer of tokens, and how they are checked. Files are read once, at start.
    package struct Issuer: Sendable, Hashable {
        /// What `iss` must say; nil: not looked at.
        package var name: String?
        /// What `aud` must say or hold; nil: not looked at.
        package var audience: String?
        /// A file of the secret for HS256.
        package var hs256: String?
        /// A file of public keys for RS256, PEM or JWKS.
        package var rs256: String?
        /// A file of public keys for ES256, PEM or JWKS.
        package var es256: String?
        /// A file of public keys for EdDSA, PEM or JWKS.
        package var eddsa: String?
    }
}
