package import PromisedDomain

/// All settings of the operator, read once at start and then constant.
///
/// A new value has the built-in defaults, which ``ConfigurationLoader`` overrides by file, environment and command
/// line. Every property has exactly one row in ``settings``, which names its key, range and meaning.
package struct ServerSettings: Sendable, Hashable {
    /// The kind of deployment; production refuses anything that weakens it.
    package var environment = Environment.development
    /// The folder of database, lock and signing key; relative to the working directory unless absolute.
    package var dataDirectory = "data"
    package var listen = Listen()
    package var web = Web()
    package var links = Links()
    package var tls = TLS()
    package var metrics = Metrics()
    package var limits = Limits()
    package var throttle = Throttle()
    package var connection = Connection()
    /// The spans around a meeting time for new promises, on the server's clock.
    package var window = WindowSpans()
    package var arrival = ArrivalSettings()
    package var report = Reporting()
    package var weather = Weather()
    package var backup = Backup()
    /// How long raw positions are stored after a result is final, on the server's clock.
    package var positionRetention = TimeSpan.hours(24)
    /// The longest time that a position waits in memory before it is written, on the real clock.
    package var writeBehind = TimeSpan.milliseconds(2_000)
    package var drain = Drain()
    package var tokens = Tokens()
    package var passwords = Passwords()
    package var auth = Auth()
    package var places = Places()
    package var files = Files()
    package var clock = ClockSettings()
    package var log = LogSettings()

    /// The built-in defaults.
    package init() {}
}
