extension ServerSettings {
    static let authSettings: [Setting] = [
        Setting(
            "auth.accounts",
            \.auth.accounts,
            .choice(),
            "Who knows the users: this server (local), or an outside issuer whose tokens name them (issuer)."
        ),
        Setting(
            "auth.issuer.name",
            \.auth.issuer.name,
            .optionalText,
            "What the claim iss of an outside token must say; none: not looked at."
        ),
        Setting(
            "auth.issuer.audience",
            \.auth.issuer.audience,
            .optionalText,
            "What the claim aud of an outside token must say or hold; none: not looked at."
        ),
        Setting(
            "auth.issuer.hs256",
            \.auth.issuer.hs256,
            .optionalText,
            "File of the secret of HS256 tokens: at least 32 bytes, a line break at the end does not count."
        ),
        Setting(
            "auth.issuer.rs256",
            \.auth.issuer.rs256,
            .optionalText,
            "File of the public keys of RS256 tokens: PEM or JWKS, at least 2048 bits each."
        ),
        Setting(
            "auth.issuer.es256",
            \.auth.issuer.es256,
            .optionalText,
            "File of the public keys of ES256 tokens: PEM or JWKS, on the curve P-256."
        ),
        Setting(
            "auth.issuer.eddsa",
            \.auth.issuer.eddsa,
            .optionalText,
            "File of the public keys of EdDSA tokens: PEM or JWKS, on the curve Ed25519."
        ),
    ]
}
