package import Logging
internal import PromisedConcurrency

/// Stores log messages for tests.
package final class LogRecorder: Sendable {
    private let kept = Guarded<[String]>([])

    package init() {}

    /// The messages so far, each with its metadata in order of the keys, as in `Sent key=value`.
    package var records: [String] { kept.withLock { $0 } }

    /// A logger that stores records of `level` and above here.
    package func logger(level: Logger.Level = .trace) -> Logger {
        var logger = Logger(label: "recorded") { _ in Handler(recorder: self) }
        logger.logLevel = level
        return logger
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            let record = ([event.message.description] + all.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
            recorder.kept.withLock { $0.append(record) }
        }
    }
}
