public import PromisedDomain

/// Everything an operator can set, read once at start and plain from then on.
///
/// A new value holds the built-in defaults; ``ConfigurationLoader`` lays file, environment and command line over them.
/// Every property has exactly one row in ``settings``, which names its key, range and meaning.
public struct ServerConfiguration: Sendable, Hashable {
    /// What the server is run for; production refuses whatever weakens it.
    public var environment = Environment.development
    /// The folder of database, lock and signing key; relative to the working directory unless absolute.
    public var dataDirectory = "data"
    /// Where clients connect.
    public var listen = Listen()
    /// The web page's surroundings.
    public var web = Web()
    /// The files that TLS is spoken with.
    public var tls = TLS()
    /// Who may read the metrics.
    public var metrics = Metrics()
    /// Frames, connections and request rates.
    public var limits = Limits()
    /// How many attempts an address or account has.
    public var throttle = Throttle()
    /// Deadlines of a single connection, on the real clock.
    public var connection = Connection()
    /// The spans around a meeting time for promises made from now on, on the server's clock.
    public var window = WindowSpans()
    /// When an arrival counts as late.
    public var arrival = ArrivalSettings()
    /// How often positions come and go.
    public var report = Report()
    /// Where backups go.
    public var backup = Backup()
    /// How long raw positions are kept after a result is final, on the server's clock.
    public var positionRetention = TimeSpan.hours(24)
    /// The longest a position waits in memory before it is written, on the real clock.
    public var writeBehind = TimeSpan.milliseconds(2_000)
    /// How a stop proceeds, on the real clock.
    public var drain = Drain()
    /// Lifetimes of tokens, in real time.
    public var tokens = Tokens()
    /// What a password hash costs.
    public var passwords = Passwords()
    /// Who knows the users.
    public var auth = Auth()
    /// The server's clock, scaled in development only.
    public var clock = ClockSettings()
    /// What is logged and how.
    public var log = LogSettings()

    /// The built-in defaults.
    public init() {}
}
