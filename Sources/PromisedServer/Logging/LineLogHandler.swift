package import Logging
import PromisedDomain
internal import PromisedSettings

/// Writes each log record as one line of text or JSON.
///
/// A value, as `swift-log` wants it: level and metadata belong to one logger. Lines go to a ``LogSink`` from whichever
/// thread logs; nothing is buffered, so a crash loses nothing.
package struct LineLogHandler: LogHandler {
    /// The least important level that is written.
    package var logLevel: Logger.Level
    /// What every record of this logger carries.
    package var metadata: Logger.Metadata = [:]
    /// What is asked for more metadata at each record.
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
