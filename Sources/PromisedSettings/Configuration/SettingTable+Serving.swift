import PromisedDomain

extension ServerSettings {
    static let listenSettings: [Setting] = [
        Setting("listen.host", \.listen.host, .text, "Address or host name to listen on; 0.0.0.0 for all of IPv4."),
        Setting("listen.port", \.listen.port, .integer(0...65_535), "TCP port to listen on; 0 picks a free one."),
        Setting(
            "listen.threads",
            \.listen.threads,
            .integer(1...64),
            "Service threads; one carries ten thousand clients."
        ),
        Setting(
            "listen.trusted-proxies",
            \.listen.trustedProxies,
            .networks,
            "Reverse proxies whose X-Forwarded-For is believed; they must append to it, not pass it on."
        ),
    ]

    static let tlsSettings: [Setting] = [
        Setting(
            "tls.certificate",
            \.tls.certificate,
            .optionalText,
            "File of the certificate and those it is signed by, in PEM; read again at SIGHUP. None: no TLS."
        ),
        Setting(
            "tls.key",
            \.tls.key,
            .optionalText,
            "File of the certificate's private key, in PEM and without a password; read again at SIGHUP."
        ),
        Setting(
            "tls.hsts",
            \.tls.hsts,
            .duration(.zero...(.days(730))),
            "How long browsers are told to come back by TLS alone (HSTS), where this server speaks TLS; 0s: not told."
        ),
    ]

    static let metricsSettings: [Setting] = [
        Setting(
            "metrics.enabled",
            \.metrics.isEnabled,
            .toggle,
            "Whether /metrics is served; a reverse proxy must not publish it."
        ),
        Setting(
            "metrics.token",
            \.metrics.token,
            .optionalText,
            "File of the token with which it may be read from anywhere (Authorization: Bearer), read at start."
        ),
        Setting(
            "metrics.allow",
            \.metrics.networks,
            .networks,
            "Networks that read it without a token, this machine always; not through a proxy."
        ),
    ]

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
