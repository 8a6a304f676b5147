public import Logging
public import PromisedDomain

extension ServerConfiguration {
    /// What the server is run for.
    public enum Environment: String, Sendable, Hashable, CaseIterable {
        /// Cheap passwords and a scaled clock are allowed.
        case development
        /// Nothing that weakens the server is allowed.
        case production
    }

    /// Where clients connect.
    public struct Listen: Sendable, Hashable {
        /// An address or host name of this machine.
        public var host = "127.0.0.1"
        /// The TCP port; 0 picks a free one.
        public var port = 8_080
        /// Service threads, each with its own share of the connections.
        public var threads = 1
        /// The proxies whose word for the client's address is taken; none by default.
        public var trustedProxies: [AddressRange] = []
    }

    /// Where backups go.
    public struct Backup: Sendable, Hashable {
        /// The folder that backups of a running server must be below; nil: anywhere on the machine.
        public var directory: String?
    }

    /// The files that TLS is spoken with: both or none. They are read at start and again at every SIGHUP.
    public struct TLS: Sendable, Hashable {
        /// The server's certificate, and behind it those it is signed by, in PEM; nil for plain TCP.
        public var certificate: String?
        /// Its private key in PEM, without a password.
        public var key: String?
        /// How long browsers are told to come back by TLS alone; zero for nothing.
        public var hsts = TimeSpan.days(365)
    }

    /// Who may read `/metrics` (docs/protocol.md#http).
    public struct Metrics: Sendable, Hashable {
        /// Whether they are served at all.
        public var isEnabled = true
        /// A file with the token that lets anybody read them; nil for none.
        public var token: String?
        /// The networks from which they are read without it, besides this machine itself.
        public var networks: [AddressRange] = []
    }

    /// The web page's surroundings.
    public struct Web: Sendable, Hashable {
        /// Origins of browsers that may connect, as `scheme://host[:port]` in lower case; empty: the server's own host.
        public var origins: [String] = []
        /// Whether the server answers `/` with the live map page.
        public var isEnabled = true
        /// The folder of the page's files; nil: those that came with the server.
        public var directory: String?
        /// The folder of Leaflet's files, as Debian's `libjs-leaflet` installs them.
        public var leaflet = "/usr/share/javascript/leaflet"
        /// The URL template of map tiles, with `{z}`, `{x}` and `{y}`; nil: a plain grid, and nobody else learns where
        /// people look.
        public var tiles: String?
        /// Who made the tiles, shown on the map as plain text; nil for nobody.
        public var tilesAttribution: String?
    }

    /// Deadlines of a single connection, on the real clock.
    public struct Connection: Sendable, Hashable {
        /// From a connection's acceptance to the end of its handshake.
        public var handshake = TimeSpan.milliseconds(10_000)
        /// From the handshake to a successful sign-in.
        public var signIn = TimeSpan.milliseconds(10_000)
        /// Between the server's pings.
        public var ping = TimeSpan.milliseconds(20_000)
        /// How long a peer may stay silent; longer than ``ping``.
        public var silence = TimeSpan.milliseconds(45_000)
        /// How long a live connection outlives its access token.
        public var tokenGrace = TimeSpan.milliseconds(30_000)
    }

    /// When an arrival counts as late.
    public struct ArrivalSettings: Sendable, Hashable {
        /// An arrival less than this after the meeting time is on time.
        public var grace = TimeSpan.minutes(1)
    }

    /// How often positions come and go.
    public struct Report: Sendable, Hashable {
        /// Between two reports of a participant, on the server's clock.
        public var interval = TimeSpan.milliseconds(5_000)
        /// How long positions are collected before they go out together, on the real clock.
        public var collection = TimeSpan.milliseconds(250)
    }

    /// How a stop proceeds, on the real clock.
    public struct Drain: Sendable, Hashable {
        /// The whole stop, from the signal to the exit.
        public var deadline = TimeSpan.milliseconds(10_000)
        /// How long the stop waits for the peers' close frames; at most ``deadline``.
        public var closeFrames = TimeSpan.milliseconds(3_000)
        /// Over how long at most the clients are told, so that not all come back at once.
        public var spread = TimeSpan.milliseconds(2_000)
    }

    /// Lifetimes of tokens, in real time: multiplied by the rate on a scaled clock.
    public struct Tokens: Sendable, Hashable {
        /// How long an access token is valid.
        public var access = TimeSpan.minutes(15)
        /// How long a refresh token is valid.
        public var refresh = TimeSpan.days(30)
        /// How long the refresh token just replaced is accepted again while its successor is unused.
        public var overlap = TimeSpan.minutes(1)
    }

    /// What a password hash costs.
    public struct Passwords: Sendable, Hashable {
        /// scrypt's cost for new hashes.
        public var cost = ScryptCost.recommended
        /// How many hashes may wait for one of the two threads.
        public var queue = 64
        /// How many of them of one address (of IPv6: /64).
        public var queuePerAddress = 2
        /// How many of them of one /24 (of IPv6: /48).
        public var queuePerNetwork = 8
    }

    /// The server's clock, scaled in development only.
    public struct ClockSettings: Sendable, Hashable {
        /// Seconds of the server's clock per real second.
        public var rate = 1.0
        /// What the clock shows at start; nil: the real time.
        public var start: Instant?
    }

    /// What is logged and how.
    public struct LogSettings: Sendable, Hashable {
        /// The least important level that is written.
        public var level = Logger.Level.info
        /// Lines for people or for machines.
        public var format = LogFormat.text
    }
}
