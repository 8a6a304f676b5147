/// The bytes are not JSON.
struct JSONMalformed: Error {}

/// Reads the scalars of a JSON text (RFC 8259), one after the other.
struct JSONCursor {
    private let bytes: [UInt8]
    private var index = 0

    /// A cursor at the first byte.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// `true` if only white space is left.
    var isAtEnd: Bool { bytes[index...].allSatisfy(\.isJSONSpace) }

    /// The next byte that is not white space; it is not consumed.
    mutating func next() throws(JSONMalformed) -> UInt8 {
        while let byte = peek(), byte.isJSONSpace { index += 1 }
        guard let byte = peek() else { throw JSONMalformed() }
        return byte
    }

    /// Consumes the current byte.
    mutating func advance() { index += 1 }

    /// Consumes a word such as `true`.
    mutating func read(_ word: StaticString) throws(JSONMalformed) {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[index..<end].elementsEqual(word.description.utf8) else { throw JSONMalformed() }
        index = end
    }

    // MARK: - Numbers

    /// The digits of a number, by the grammar of RFC 8259 §6.
    mutating func readNumber() throws(JSONMalformed) -> String {
        let start = index
        if peek() == UInt8(ascii: "-") { index += 1 }
        let whole = skipDigits()
        guard whole == 1 || (whole > 1 && bytes[index - whole] != UInt8(ascii: "0")) else { throw JSONMalformed() }
        if peek() == UInt8(ascii: ".") {
            index += 1
            guard skipDigits() > 0 else { throw JSONMalformed() }
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            index += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { index += 1 }
            guard skipDigits() > 0 else { throw JSONMalformed() }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index - start
    }

    // MARK: - Texts

    /// The text whose opening quote is the current byte.
    mutating func readText() throws(JSONMalformed) -> String {
        index += 1
        let start = index
        while let byte = peek() {
            if byte == UInt8(ascii: "\"") {
                defer { index += 1 }
                return String(decoding: bytes[start..<index], as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") { return try readEscaped(from: start) }
            guard byte >= 0x20 else { throw JSONMalformed() }
            index += 1
        }
        throw JSONMalformed()
    }

    /// The text from `start` on, whose first escape is at the current byte.
    private mutating func readEscaped(from start: Int) throws(JSONMalformed) -> String {
        var text = Array(bytes[start..<index])
        while let byte = peek() {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += Array(String(try readEscape()).utf8)
            case 0x20...: text.append(byte)
            default: throw JSONMalformed()
            }
        }
        throw JSONMalformed()
    }

    private mutating func readEscape() throws(JSONMalformed) -> Unicode.Scalar {
        guard let byte = peek() else { throw JSONMalformed() }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try readScalar()
        default: throw JSONMalformed()
        }
    }

    /// The scalar of `\uXXXX`, or of two that form a surrogate pair; an unpaired surrogate becomes U+FFFD.
    private mutating func readScalar() throws(JSONMalformed) -> Unicode.Scalar {
        let high = try readHex()
        guard (0xD800...0xDBFF).contains(high), bytes[index...].starts(with: [0x5C, 0x75]) else {
            return Unicode.Scalar(high) ?? "\u{FFFD}"
        }
        let afterHigh = index
        index += 2
        let low = try readHex()
        guard (0xDC00...0xDFFF).contains(low) else {
            index = afterHigh
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func readHex() throws(JSONMalformed) -> UInt32 {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw JSONMalformed() }
        index += 4
        return number
    }

    private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }
}
