/// Finds where a JSON value ends by counting brackets and quotes, across the borders of chunks.
///
/// The first byte it sees is the first one of the value.
struct JSONExtent: Sendable {
    private var depth = 0
    private var isInText = false
    private var isAfterBackslash = false
    /// `true` once the end was found.
    private(set) var hasEnded = false

    /// The index after the last byte of the value in `chunk`; adds the line feeds before it to `line`.
    ///
    /// The value may continue in the next chunk unless ``hasEnded``. A number or a word ends before the byte that
    /// follows it.
    mutating func end(in chunk: [UInt8], from: Int, line: inout Int) -> Int {
        var index = from
        while index < chunk.count {
            let byte = chunk[index]
            if isInText {
                readText(byte)
            } else if depth == 0, Self.endsWord(byte) {
                hasEnded = true
                return index
            } else {
                read(byte)
            }
            index += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            if hasEnded { break }
        }
        return index
    }

    private mutating func readText(_ byte: UInt8) {
        if isAfterBackslash {
            isAfterBackslash = false
        } else if byte == UInt8(ascii: "\\") {
            isAfterBackslash = true
        } else if byte == UInt8(ascii: "\"") {
            isInText = false
            hasEnded = depth == 0
        }
    }

    private mutating func read(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            hasEnded = depth == 0
        default: break
        }
    }

    /// `true` for bytes that cannot be part of a number or a word.
    private static func endsWord(_ byte: UInt8) -> Bool {
        byte.isJSONSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }
}

extension UInt8 {
    /// `true` for the white space of JSON (RFC 8259 §2).
    var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    /// `true` for the first byte of an object, an array, a text, a number or a word.
    var beginsJSONValue: Bool {
        switch self {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            true
        default: false
        }
    }
}
