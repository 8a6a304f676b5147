import Logging
internal import PromisedApplication
import PromisedDomain
package import PromisedSettings

/// Sets up logging for the process.
package enum LoggingBootstrap {
    /// Sends the records of all loggers made from now on to standard error.
    ///
    /// Call it once in a process, before the first logger is made; `swift-log` stops the process the second time.
    package static func start(_ settings: ServerSettings.LogSettings) {
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
