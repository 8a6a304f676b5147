package import Logging
package import PromisedDomain

extension ServerSettings {
    /// The kind of deployment.
    package enum Environment: String, Sendable, Hashable, CaseIterable {
        /// Allows cheap passwords and a scaled clock.
        case development
        /// Refuses settings that weaken the server.
        case production
    }

    /// Where the server listens.
    package struct Listen: Sendable, Hashable {
        /// An address or host name of this machine.
        package var host = "127.0.0.1"
        /// The TCP port; with 0 the system picks a free one.
        package var port = 8_080
        /// Service threads, each with its own share of the connections.
        package var threads = 1
        /// The proxies whose header with the client's address is trusted; none by default.
        package var trustedProxies: [AddressRange] = []
    }

    /// The limits on backups.
    package struct Backup: Sendable, Hashable {
        /// The folder that must contain backups of a running server; nil: anywhere on the machine.
        package var directory: String?
    }

    /// The files for TLS: both or neither. The server reads them at start and again at every SIGHUP.
    package struct TLS: Sendable, Hashable {
        /// The server's certificate with its chain, in PEM; nil for plain TCP.
        package var certificate: String?
        /// Its private key in PEM, without a password.
        package var key: String?
        /// How long browsers must use TLS only (HSTS); zero to omit the header.
        package var hsts = TimeSpan.days(365)
    }

    /// Access to `/metrics` (docs/protocol.md#http).
    package struct Metrics: Sendable, Hashable {
        /// `true` if the metrics are served.
        package var isEnabled = true
        /// A file with the token that grants access; nil for none.
        package var token: String?
        /// The networks with access without the token, besides this machine itself.
        package var networks: [AddressRange] = []
    }

    /// The web page and its origins.
    package struct Web: Sendable, Hashable {
        /// Origins of browsers that may connect, as `scheme://host[:port]` in lower case; empty: the server's own host.
        package var origins: [String] = []
        /// `true` if the server answers `/` with the live map page.
        package var isEnabled = true
        /// The folder of the page's files; nil: those installed with the server.
        package var directory: String?
        /// The folder of Leaflet's files, as Debian's `libjs-leaflet` installs them.
        package var leaflet = "/usr/share/javascript/leaflet"
        /// The folder of the QR code generator, as Debian's `node-qrcode-generator` installs it.
        package var qrCodes = "/usr/share/javascript/qrcode-generator"
        /// The URL template of map tiles, with `{z}`, `{x}` and `{y}`, or the path of an MBTiles file; nil: an outline
        /// of the world. With a file or an outline no third party learns which area users view.
        package var tiles: String?
        /// The attribution of the tiles, shown on the map as plain text; nil for that of the file, if any.
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
        /// An arrival earlier than this after the meeting time is on time.
        package var grace = TimeSpan.minutes(1)
    }

    /// The pace of position reports.
    package struct Reporting: Sendable, Hashable {
        /// Between two reports of a participant, on the server's clock.
        package var interval = TimeSpan.milliseconds(5_000)
        /// How long positions are collected before they are sent together, on the real clock.
        package var collection = TimeSpan.milliseconds(250)
    }

    /// How a stop proceeds, on the real clock.
    package struct Drain: Sendable, Hashable {
        /// The whole stop, from the signal to the exit.
        package var deadline = TimeSpan.milliseconds(10_000)
        /// How long the stop waits for the peers' close frames; at most ``deadline``.
        package var closeFrames = TimeSpan.milliseconds(3_000)
        /// The longest time over which the clients are notified, so that they do not all reconnect at once.
        package var spread = TimeSpan.milliseconds(2_000)
    }

    /// Lifetimes of tokens, in real time: multiplied by the rate on a scaled clock.
    package struct Tokens: Sendable, Hashable {
        /// How long an access token is valid.
        package var access = TimeSpan.minutes(15)
        /// How long a refresh token is valid.
        package var refresh = TimeSpan.days(30)
        /// How long the replaced refresh token is still accepted while its successor is unused.
        package var overlap = TimeSpan.minutes(1)
    }

    /// The cost of password hashing.
    package struct Passwords: Sendable, Hashable {
        /// scrypt's cost for new hashes.
        package var cost = ScryptCost.recommended
        /// The maximum number of hashes that wait for one of the two threads.
        package var queue = 64
        /// The maximum number of waiting hashes from one address (for IPv6: /64).
        package var queuePerAddress = 2
        /// The maximum number of waiting hashes from one /24 (for IPv6: /48).
        package var queuePerNetwork = 8
    }

    /// The server's clock, scaled in development only.
    package struct ClockSettings: Sendable, Hashable {
        /// Seconds of the server's clock per real second.
        package var rate = 1.0
        /// The clock's time at start; nil: the real time.
        package var start: Instant?
    }

    /// The logging.
    package struct LogSettings: Sendable, Hashable {
        /// The lowest level that is written.
        package var level = Logger.Level.info
        /// Lines for people or for machines.
        package var format = LogFormat.text
    }

    /// The source of user accounts (domain §2).
    package struct Auth: Sendable, Hashable {
        /// The source of accounts.
        package enum Accounts: String, Sendable, Hashable, CaseIterable {
            /// Users sign up and in at this server.
            case local
            /// Users are identified by tokens of an outside issuer.
            case issuer
        }

        package var accounts = Accounts.local
        /// The outside issuer; used only if accounts come from it.
        package var issuer = Issuer()
    }

    /// An outside issuer of tokens, and how they are checked. Files are read once, at start.
    package struct Issuer: Sendable, Hashable {
        /// The required `iss`; nil to ignore it.
        package var name: String?
        /// The required content of `aud`; nil to ignore it.
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

/// The format of log records.
package enum LogFormat: String, Sendable, Hashable, CaseIterable {
    /// A line for people: time, level, logger, message, then the metadata as `key=value`.
    case text
    /// A line for machines: one JSON object.
    case json
}
