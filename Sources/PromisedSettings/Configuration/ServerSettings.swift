package import PromisedDomain

/// All settings of the operator, read once at start and constant from then on.
///
/// A new value holds the built-in defaults; ``ConfigurationLoader`` applies file, environment and command line over
/// them. Every property has exactly one row in ``settings``, which names its key, range and meaning.
package struct ServerSettings: Sendable, Hashable {
    /// The kind of deployment; production refuses anything that weakens it.
    package var environment = Environment.development
    /// The folder of database, lock and signing key; relative to the working directory unless absolute.
    package var dataDirectory = "data"
    /// Where the server listens.
    package var listen = Listen()
    /// The web page and its origins.
    package var web = Web()
    /// The files for TLS.
    package var tls = TLS()
    /// Access to the metrics.
    package var metrics = Metrics()
    /// Frames, connections and request rates.
    package var limits = Limits()
    /// The limits on attempts of an address or account.
    package var throttle = Throttle()
    /// Deadlines of a single connection, on the real clock.
    package var connection = Connection()
    /// The spans around a meeting time for new promises, on the server's clock.
    package var window = WindowSpans()
    /// When an arrival counts as late.
    package var arrival = ArrivalSettings()
    /// The pace of position reports.
    package var report = Reporting()
    /// The providers of weather; none by default.
    package var weather = Weather()
    /// The limits on backups.
    package var backup = Backup()
    /// How long raw positions are kept after a result is final, on the server's clock.
    package var positionRetention = TimeSpan.hours(24)
    /// The longest a position waits in memory before it is written, on the real clock.
    package var writeBehind = TimeSpan.milliseconds(2_000)
    /// How a stop proceeds, on the real clock.
    package var drain = Drain()
    /// Lifetimes of tokens, in real time.
    package var tokens = Tokens()
    /// The cost of password hashing.
    package var passwords = Passwords()
    /// The source of user accounts.
    package var auth = Auth()
    /// The directory of places.
    package var places = Places()
    /// The files of users.
    package var files = Files()
    /// The server's clock, scaled in development only.
    package var clock = ClockSettings()
    /// The logging.
    package var log = LogSettings()

    /// The built-in defaults.
    package init() {}
}
