package import Logging
internal import PromisedApplication
import PromisedDomain
package import PromisedSettings

/// Writes each log record as one line of text or JSON.
///
/// A value, as `swift-log` wants it: level and metadata belong to one logger. Lines go to a ``LogSink`` from whichever
/// thread logs; nothing is buffered, so a crash loses nothing.
package struct LineLogHandler: LogHandler {
    /// The least important level that is written.
    package var logLevel: Logger.Level
    /// The metadata of every record of this logger.
    package var metadata: Logger.Metadata = [:]
    /// Provides further metadata for each record.
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: LogFormat
    private let sink: any LogSink
    private let now: @Sendable () -> Instant

    /// A handler for the logger of a label.
    ///
    /// - Parameters:
    ///   - now: the real time, also on a scaled clock: logs are compared with those of other programs.
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

    /// Writes a record. Its own metadata goes before the provider's, and that before the logger's.
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

/// Where log lines go.
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

/// Writes log lines to standard error, each with one call to the system, so that lines of several threads never mix.
struct StandardErrorSink: LogSink {
    /// The destination: standard error, unless a test reads the lines.
    var descriptor = STDERR_FILENO

    /// Writes a line. Drops a line that cannot be written: there is no other place to report that.
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

/// `write` of the C library, whose name the method takes.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

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
