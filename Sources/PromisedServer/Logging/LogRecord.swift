import Logging
internal import PromisedAccess
import PromisedDomain
internal import PromisedSettings

/// One log record with all its parts.
struct LogRecord {
    let time: Instant
    let level: Logger.Level
    let label: String
    let message: String
    let error: String?
    /// Written in the order of the keys.
    let metadata: Logger.Metadata

    /// The record as one line that ends with the only line feed in it, whatever the texts contain.
    func line(as format: LogFormat) -> String {
        switch format {
        case .text: textLine
        case .json: jsonLine
        }
    }

    private var sortedMetadata: [(key: String, value: Logger.Metadata.Value)] { metadata.sorted { $0.key < $1.key } }

    // MARK: - Text

    private var textLine: String {
        let word = level.rawValue.uppercased()
        let padding = String(repeating: " ", count: max(0, 8 - word.count))
        var line =
            "\(time.rfc3339WithMilliseconds) \(word)\(padding) \(LogText.inline(label)): \(LogText.inline(message))"
        for (key, value) in sortedMetadata { line += " \(LogText.word(key))=\(LogText.word(value.description))" }
        if let error { line += " error=\(LogText.word(error))" }
        return line + "\n"
    }

    // MARK: - JSON

    /// Metadata is a nested object, so that its keys cannot hide the record's own.
    private var jsonLine: String {
        var line = "{\"time\":\"\(time.rfc3339WithMilliseconds)\",\"level\":\"\(level.rawValue)\""
        line += ",\"logger\":\(LogText.json(label)),\"message\":\(LogText.json(message))"
        if let error { line += ",\"error\":\(LogText.json(error))" }
        if !metadata.isEmpty { line += ",\"metadata\":\(Self.json(.dictionary(metadata)))" }
        return line + "}\n"
    }

    private static func json(_ value: Logger.Metadata.Value) -> String {
        switch value {
        case .string(let text): return LogText.json(text)
        case .stringConvertible(let value): return LogText.json(value.description)
        case .array(let values): return "[" + values.map(json).joined(separator: ",") + "]"
        case .dictionary(let entries):
            let sorted = entries.sorted { $0.key < $1.key }
            return "{" + sorted.map { "\(LogText.json($0.key)):\(json($0.value))" }.joined(separator: ",") + "}"
        @unknown default:
            return LogText.json("\(value)")
        }
    }
}

/// Escapes texts in log lines: input of a client must not end the line, forge another one, or reach a terminal as a
/// command.
enum LogText {
    /// The text with control characters, separators and bidirectional controls escaped.
    static func inline(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: mustBeEscaped) else { return text }
        return text.unicodeScalars.reduce(into: "") { line, scalar in
            line.append(mustBeEscaped(scalar) ? escape(scalar) : String(scalar))
        }
    }

    /// The text as one word: in quotation marks if it is empty or contains a space, a quotation mark, `=`, a backslash
    /// or characters to escape; inside them, a backslash always begins an escape.
    static func word(_ text: String) -> String {
        guard text.isEmpty || text.unicodeScalars.contains(where: mustBeQuoted) else { return text }
        let quoted = text.unicodeScalars.reduce(into: "\"") { line, scalar in
            switch scalar {
            case "\"", "\\": line += "\\" + String(scalar)
            case _ where mustBeEscaped(scalar): line += escape(scalar)
            default: line.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// The text as a JSON string (RFC 8259 §7), including quotation marks.
    static func json(_ text: String) -> String {
        var line = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": line += "\\\""
            case "\\": line += "\\\\"
            case _ where mustBeEscaped(scalar): line += jsonEscape(scalar)
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line + "\""
    }

    private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        // Avoids the look-up for ASCII, which is nearly all text.
        scalar.isASCII ? scalar.value < 0x20 || scalar.value == 0x7F : !TextRule.isAllowed(scalar)
    }

    private static func mustBeQuoted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "\\", "=": true
        default: scalar.properties.isWhitespace || mustBeEscaped(scalar)
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
    }

    /// UTF-16 code units, as in JSON.
    private static func jsonEscape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            return UTF16.encode(scalar)?
                .map { unit in
                    let digits = String(unit, radix: 16)
                    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
                .joined() ?? ""
        }
    }
}
