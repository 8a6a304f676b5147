extension ServerConfiguration {
    /// Who knows the users (domain §2).
    public struct Auth: Sendable, Hashable {
        /// Where accounts come from.
        public enum Accounts: String, Sendable, Hashable, CaseIterable {
            /// People sign up and in here.
            case local
            /// An outside issuer's tokens name them.
            case issuer
        }

        /// Where accounts come from.
        public var accounts = Accounts.local
        /// The outside issuer; looked at only when accounts come from it.
        public var issuer = Issuer()
    }

    /// An outside issuer of tokens, and how they are checked. Files are read once, at start.
    public struct Issuer: Sendable, Hashable {
        /// What `iss` must say; nil: not looked at.
        public var name: String?
        /// What `aud` must say or hold; nil: not looked at.
        public var audience: String?
        /// A file of the secret for HS256.
        public var hs256: String?
        /// A file of public keys for RS256, PEM or JWKS.
        public var rs256: String?
        /// A file of public keys for ES256, PEM or JWKS.
        public var es256: String?
        /// A file of public keys for EdDSA, PEM or JWKS.
        public var eddsa: String?
    }
}
