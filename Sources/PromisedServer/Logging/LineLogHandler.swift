package import Logging
internal import PromisedApplication
import PromisedDomain
package import PromisedSettings

/// Writes each log record as one line of text or JSON.
///
/// A value type, as `swift-log` requires: level and metadata belong to one logger. The logging thread writes to a
/// ``LogSink`` without buffering, so a crash loses no lines.
package struct LineLogHandler: LogHandler {
    /// The least severe level that is written.
    package var logLevel: Logger.Level
    /// The metadata of every record of this logger.
    package var metadata: Logger.Metadata = [:]
    /// Provides further metadata for each record.
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: LogFormat
    private let sink: any LogSink
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - now: the real time, even on a scaled clock: logs are compared with those of other programs.
    init(
        label: String,
        level: Logger.Level,
        format: LogFormat,
        sink: any LogSink,
        metadataProvider: Logger.MetadataProvider? = nil,
        now: @escaping @Sendable () -> Instant
    ) {
        self.label = label
        self.logLevel = level
        self.format = format
        self.sink = sink
        self.metadataProvider = metadataProvider
        self.now = now
    }

    /// One entry of the metadata every record of this logger carries.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a record. Its own metadata takes precedence over the provider's, and that over the logger's.
    package func log(event: LogEvent) {
        let merged = metadata.merging(metadataProvider?.get() ?? [:]) { _, new in new }
            .merging(event.metadata ?? [:]) { _, new in new }
        let record = LogRecord(
            time: now(),
            level: event.level,
            label: label,
            message: event.message.description,
            error: event.error.map { "\($0)" },
            metadata: merged
        )
        sink.write(record.line(as: format))
    }
}

/// The destination of log lines.
package protocol LogSink: Sendable {
    /// Writes a line, including its line feed. May be called from several threads at once; never fails.
    func write(_ line: String)
}

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes log lines to standard error, each with a single system call, so that lines of several threads never mix.
struct StandardErrorSink: LogSink {
    /// Standard error, unless a test reads the lines.
    var descriptor = STDERR_FILENO

    /// Drops a line that cannot be written: there is no other place to report the failure.
    func write(_ line: String) {
        var rest = Array(line.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}

/// The C library's `write`, which the method's name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// Sets up logging for the process.
package enum LoggingBootstrap {
    /// Sends the records of all loggers created from now on to standard error.
    ///
    /// Call this once per process, before the first logger is created; `swift-log` stops the process at a second call.
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
