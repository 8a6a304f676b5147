internal import PromisedAccess

/// Texts inside a log line: nothing a client sends may end the line, forge another or reach a terminal as a command.
enum LogText {
    /// The text with control characters, separators and bidirectional controls written as escapes.
    static func inline(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: mustBeEscaped) else { return text }
        return text.unicodeScalars.reduce(into: "") { line, scalar in
            line.append(mustBeEscaped(scalar) ? escape(scalar) : String(scalar))
        }
    }

    /// The text as one word: in quotation marks where it is empty or holds a space, a quotation mark, `=`, a backslash or
    /// what must be escaped; within them a backslash always begins an escape.
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

    /// The text as a JSON string (RFC 8259 §7), quotation marks included.
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
        // Spares the look-up for what nearly all texts consist of.
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

    /// UTF-16 code units, as JSON has them.
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
