package import Logging
package import PromisedDomain

extension ServerSettings {
    /// What the server is run for.
    package enum Environment: String, Sendable, Hashable, CaseIterable {
        /// Cheap passwords and a scaled clock are allowed.
        case development
        /// Nothing that weakens the server is allowed.
        case production
    }

    /// Where clients connect.
    package struct Listen: Sendable, Hashable {
        /// An address or host name of this machine.
        package var host = "127.0.0.1"
        /// The TCP port; 0 picks a free one.
        package var port = 8_080
        /// Service threads, each with its own share of the connections.
        package var threads = 1
        /// The proxies whose word for the client's address is taken; none by default.
        package var trustedProxies: [AddressRange] = []
    }

    /// Where backups go.
    package struct Backup: Sendable, Hashable {
        /// The folder that backups of a running server must be below; nil: anywhere on the machine.
        package var directory: String?
    }

    /// The files that TLS is spoken with: both or none. They are read at start and again at every SIGHUP.
    package struct TLS: Sendable, Hashable {
        /// The server's certificate, and behind it those it is signed by, in PEM; nil for plain TCP.
        package var certificate: String?
        /// Its private key in PEM, without a password.
        package var key: String?
        /// How long browsers are told to come back by TLS alone; zero for nothing.
        package var hsts = TimeSpan.days(365)
    }

    /// Who may read `/metrics` (docs/protocol.md#http).
    package struct Metrics: Sendable, Hashable {
        /// Whether they are served at all.
        package var isEnabled = true
        /// A file with the token that lets anybody read them; nil for none.
        package var token: String?
        /// The networks from which they are read without it, besides this machine itself.
        package var networks: [AddressRange] = []
    }

    /// The web page's surroundings.
    package struct Web: Sendable, Hashable {
        /// Origins of browsers that may connect, as `scheme://host[:port]` in lower case; empty: the server's own host.
        package var origins: [String] = []
        /// Whether the server answers `/` with the live map page.
        package var isEnabled = true
        /// The folder of the page's files; nil: those that came with the server.
        package var directory: String?
        /// The folder of Leaflet's files, as Debian's `libjs-leaflet` installs them.
        package var leaflet = "/usr/share/javascript/leaflet"
        /// The URL template of map tiles, with `{z}`, `{x}` and `{y}`; nil: a plain grid, and nobody else learns where
        /// people look.
        package var tiles: String?
        /// Who made the tiles, shown on the map as plain text; nil for nobody.
        package var tilesAttribution: String?
    }

    /// Deadlines of a single connection, on the real clock.
    package struct Connection: Sendable, Hashable {
        /// From a connection's acceptance to the end of its handshake.
        package var handshake = TimeSpan.milliseconds(10_000)
        /// From the handshake to a successful sign-in.
        package var signIn = TimeSpan.milliseconds(10_000)
        /// Between the server's pings.
        package var ping = TimeSpan.milliseconds(20_000)
        /// How long a peer may stay silent; longer than ``ping``.
        package var silence = TimeSpan.milliseconds(45_000)
        /// How long a live connection outlives its access token.
        package var tokenGrace = TimeSpan.milliseconds(30_000)
    }

    /// When an arrival counts as late.
    package struct ArrivalSettings: Sendable, Hashable {
        /// An arrival less than this after the meeting time is on time.
        package var grace = TimeSpan.minutes(1)
    }

    /// How often positions come and go.
    package struct Report: Sendable, Hashable {
        /// Between two reports of a participant, on the server's clock.
        package var interval = TimeSpan.milliseconds(5_000)
        /// How long positions are collected before they go out together, on the real clock.
        package var collection = TimeSpan.milliseconds(250)
    }

    /// How a stop proceeds, on the real clock.
    package struct Drain: Sendable, Hashable {
        /// The whole stop, from the signal to the exit.
        package var deadline = TimeSpan.milliseconds(10_000)
        /// How long the stop waits for the peers' close frames; at most ``deadline``.
        package var closeFrames = TimeSpan.milliseconds(3_000)
        /// Over how long at most the clients are told, so that not all come back at once.
        package var spread = TimeSpan.milliseconds(2_000)
    }

    /// Lifetimes of tokens, in real time: multiplied by the rate on a scaled clock.
    package struct Tokens: Sendable, Hashable {
        /// How long an access token is valid.
        package var access = TimeSpan.minutes(15)
        /// How long a refresh token is valid.
        package var refresh = TimeSpan.days(30)
        /// How long the refresh token just replaced is accepted again while its successor is unused.
        package var overlap = TimeSpan.minutes(1)
    }

    /// What a password hash costs.
    package struct Passwords: Sendable, Hashable {
        /// scrypt's cost for new hashes.
        package var cost = ScryptCost.recommended
        /// How many hashes may wait for one of the two threads.
        package var queue = 64
        /// How many of them of one address (of IPv6: /64).
        package var queuePerAddress = 2
        /// How many of them of one /24 (of IPv6: /48).
        package var queuePerNetwork = 8
    }

    /// The server's clock, scaled in development only.
    package struct ClockSettings: Sendable, Hashable {
        /// Seconds of the server's clock per real second.
        package var rate = 1.0
        /// What the clock shows at start; nil: the real time.
        package var start: Instant?
    }

    /// What is logged and how.
    package struct LogSettings: Sendable, Hashable {
        /// The least important level that is written.
        package var level = Logger.Level.info
        /// Lines for people or for machines.
        package var format = LogFormat.text
    }

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

/// How a log record is written.
package enum LogFormat: String, Sendable, Hashable, CaseIterable {
    /// A line for people: time, level, logger, message, then the metadata as `key=value`.
    case text
    /// A line for machines: one JSON object.
    case json
}
