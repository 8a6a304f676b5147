import PromisedDomain

extension ServerSettings {
    static let listenSettings: [Setting] = [
        Setting("listen.host", \.listen.host, .text, "Address or host name to listen on; 0.0.0.0 for all of IPv4."),
        Setting("listen.port", \.listen.port, .integer(0...65_535), "TCP port to listen on; 0 picks a free port."),
        Setting(
            "listen.threads",
            \.listen.threads,
            .integer(1...64),
            "Number of service threads; one thread serves ten thousand clients."
        ),
        Setting(
            "listen.trusted-proxies",
            \.listen.trustedProxies,
            .networks,
            "Reverse proxies whose X-Forwarded-For the server trusts; they must append to the header, not just forward it."
        ),
    ]

    static let tlsSettings: [Setting] = [
        Setting(
            "tls.certificate",
            \.tls.certificate,
            .optionalText,
            "PEM file of the certificate and its chain; reloaded on SIGHUP. None: no TLS."
        ),
        Setting(
            "tls.key",
            \.tls.key,
            .optionalText,
            "PEM file of the certificate's private key, without a password; reloaded on SIGHUP."
        ),
        Setting(
            "tls.hsts",
            \.tls.hsts,
            .duration(.zero...(.days(730))),
            "Lifetime of HSTS: browsers connect by TLS alone for this time; needs tls.certificate. 0s: no HSTS."
        ),
    ]

    static let metricsSettings: [Setting] = [
        Setting(
            "metrics.enabled",
            \.metrics.isEnabled,
            .toggle,
            "True: the server serves /metrics; a reverse proxy must not publish it."
        ),
        Setting(
            "metrics.token",
            \.metrics.token,
            .optionalText,
            "File of a token that allows any address to read /metrics (Authorization: Bearer); loaded at start."
        ),
        Setting(
            "metrics.allow",
            \.metrics.networks,
            .networks,
            "Networks that may read /metrics without a token, besides this machine; not through a proxy."
        ),
    ]

    static let authSettings: [Setting] = [
        Setting(
            "auth.accounts",
            \.auth.accounts,
            .choice(),
            "Owner of the accounts: this server (local), or an external issuer whose tokens name the users (issuer)."
        ),
        Setting(
            "auth.issuer.name",
            \.auth.issuer.name,
            .optionalText,
            "Required value of the claim iss in external tokens; none: not checked."
        ),
        Setting(
            "auth.issuer.audience",
            \.auth.issuer.audience,
            .optionalText,
            "Required value of the claim aud in external tokens, alone or in a list; none: not checked."
        ),
        Setting(
            "auth.issuer.hs256",
            \.auth.issuer.hs256,
            .optionalText,
            "File of the secret for HS256 tokens: at least 32 bytes, not counting a line break at the end."
        ),
        Setting(
            "auth.issuer.rs256",
            \.auth.issuer.rs256,
            .optionalText,
            "File of the public keys for RS256 tokens: PEM or JWKS, at least 2048 bits each."
        ),
        Setting(
            "auth.issuer.es256",
            \.auth.issuer.es256,
            .optionalText,
            "File of the public keys for ES256 tokens: PEM or JWKS, on the curve P-256."
        ),
        Setting(
            "auth.issuer.eddsa",
            \.auth.issuer.eddsa,
            .optionalText,
            "File of the public keys for EdDSA tokens: PEM or JWKS, on the curve Ed25519."
        ),
    ]
}
