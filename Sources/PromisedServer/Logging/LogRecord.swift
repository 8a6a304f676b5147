import Logging
import PromisedDomain
internal import PromisedSettings

/// One log record with everything that is written of it.
struct LogRecord {
    let time: Instant
    let level: Logger.Level
    /// The logger's label.
    let label: String
    let message: String
    /// An error the record carries, described.
    let error: String?
    /// By key; written in the order of the keys.
    let metadata: Logger.Metadata

    /// The record as one line that ends with a line feed and holds no other, whatever the texts contain.
    func line(as format: LogFormat) -> String {
        switch format {
        case .text: textLine
        case .json: jsonLine
        }
    }

    private var sortedMetadata: [(key: String, value: Logger.Metadata.Value)] {
        metadata.sorted { $0.key < $1.key }
    }

    // MARK: - Text

    private var textLine: String {
        let word = level.rawValue.uppercased()
        let padding = String(repeating: " ", count: max(0, 8 - word.count))
        var line =
            "\(time.rfc3339WithMilliseconds) \(word)\(padding) \(LogText.inline(label)): \(LogText.inline(message))"
        for (key, value) in sortedMetadata {
            line += " \(LogText.word(key))=\(LogText.word(value.description))"
        }
        if let error { line += " error=\(LogText.word(error))" }
        return line + "\n"
    }

    // MARK: - JSON

    /// Metadata stands in an object of its own, so that no key of it can hide the record's own.
    private var jsonLine: String {
        var line = "{\"time\":\"\(time.rfc3339WithMilliseconds)\",\"level\":\"\(level.rawValue)\""
        line += ",\"logger\":\(LogText.json(label)),\"message\":\(LogText.json(message))"
        if let error { line += ",\"error\":\(LogText.json(error))" }
        if !metadata.isEmpty { line += ",\"metadata\":\(Self.json(.dictionary(metadata)))" }
        return line + "}\n"
    }

    private static func json(_ value: Logger.Metadata.Value) -> String {
        switch value {
        case .string(let text):
            return LogText.json(text)
        case .stringConvertible(let value):
            return LogText.json(value.description)
        case .array(let values):
            return "[" + values.map(json).joined(separator: ",") + "]"
        case .dictionary(let entries):
            let sorted = entries.sorted { $0.key < $1.key }
            return "{" + sorted.map { "\(LogText.json($0.key)):\(json($0.value))" }.joined(separator: ",") + "}"
        @unknown default:
            return LogText.json("\(value)")
        }
    }
}
