import Logging
import PromisedDomain

/// Sets up logging for the process.
public enum LoggingBootstrap {
    /// Sends the records of all loggers made from now on to standard error.
    ///
    /// Call it once in a process, before the first logger is made; `swift-log` stops the process the second time.
    public static func start(_ settings: ServerConfiguration.LogSettings) {
        LoggingSystem.bootstrap(
            { label, provider in
                LineLogHandler(
                    label: label,
                    level: settings.level,
                    format: settings.format,
                    sink: StandardErrorSink(),
                    metadataProvider: provider,
                    now: { RealTime.now }
                )
            },
            metadataProvider: nil
        )
    }
}
