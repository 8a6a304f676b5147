package import PromisedDomain

/// Everything an operator can set, read once at start and plain from then on.
///
/// A new value holds the built-in defaults; ``ConfigurationLoader`` lays file, environment and command line over them.
/// Every property has exactly one row in ``settings``, which names its key, range and meaning.
package struct ServerSettings: Sendable, Hashable {
    /// What the server is run for; production refuses whatever weakens it.
    package var environment = Environment.development
    /// The folder of database, lock and signing key; relative to the working directory unless absolute.
    package var dataDirectory = "data"
    /// Where clients connect.
    package var listen = Listen()
    /// The web page's surroundings.
    package var web = Web()
    /// The files that TLS is spoken with.
    package var tls = TLS()
    /// Who may read the metrics.
    package var metrics = Metrics()
    /// Frames, connections and request rates.
    package var limits = Limits()
    /// How many attempts an address or account has.
    package var throttle = Throttle()
    /// Deadlines of a single connection, on the real clock.
    package var connection = Connection()
    /// The spans around a meeting time for promises made from now on, on the server's clock.
    package var window = WindowSpans()
    /// When an arrival counts as late.
    package var arrival = ArrivalSettings()
    /// How often positions come and go.
    package var report = Report()
    /// Where backups go.
    package var backup = Backup()
    /// How long raw positions are kept after a result is final, on the server's clock.
    package var positionRetention = TimeSpan.hours(24)
    /// The longest a position waits in memory before it is written, on the real clock.
    package var writeBehind = TimeSpan.milliseconds(2_000)
    /// How a stop proceeds, on the real clock.
    package var drain = Drain()
    /// Lifetimes of tokens, in real time.
    package var tokens = Tokens()
    /// What a password hash costs.
    package var passwords = Passwords()
    /// Who knows the users.
    package var auth = Auth()
    /// The server's clock, scaled in development only.
    package var clock = ClockSettings()
    /// What is logged and how.
    package var log = LogSettings()

    /// The built-in defaults.
    package init() {}
}
