import Logging
import PromisedDomain

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
                    now: realTime
                )
            },
            metadataProvider: nil
        )
    }

    /// The machine's clock.
    @Sendable private static func realTime() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
