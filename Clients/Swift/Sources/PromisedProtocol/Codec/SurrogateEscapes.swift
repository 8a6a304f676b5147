/// Characters that JSON writes as two escapes, such as `\ud83c\udff4` (RFC 8259 section 7).
///
/// SwiftProtobuf joins the two halves with `|` where it takes `+`: from U+20000 on, half of the code points become others,
/// such as the letters of the flag of England. Remove this when a version that adds them is required
/// (`decodeString` in its `JSONScanner.swift`, last seen in 1.39.0).
enum SurrogateEscapes {
    private static let backslash = UInt8(ascii: "\\")

    /// The text with each such pair replaced by the character itself; everything else unchanged, including malformed
    /// escapes.
    static func replaced(in text: [UInt8]) -> [UInt8] {
        // Most frames have no escapes.
        guard let first = text.firstIndex(of: backslash) else { return text }
        var replaced = Array(text[..<first])
        replaced.reserveCapacity(text.count)
        var index = first
        while index < text.count {
            guard text[index] == backslash else {
                replaced.append(text[index])
                index += 1
                continue
            }
            if let scalar = scalar(in: text, at: index) {
                replaced += Array(String(Character(scalar)).utf8)
                index += 12
            } else {
                // A backslash and the character it escapes; an escaped backslash begins no escape.
                replaced += text[index..<min(index + 2, text.count)]
                index += 2
            }
        }
        return replaced
    }

    /// The character of two escapes at an index.
    private static func scalar(in text: [UInt8], at index: Int) -> Unicode.Scalar? {
        guard let high = unit(in: text, at: index), (0xD800..<0xDC00).contains(high),
            let low = unit(in: text, at: index + 6), (0xDC00..<0xE000).contains(low)
        else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    /// The number of an escape `\uXXXX`.
    private static func unit(in text: [UInt8], at index: Int) -> UInt32? {
        guard index + 6 <= text.count, text[index] == backslash, text[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var number: UInt32 = 0
        for byte in text[index + 2..<index + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            number = number << 4 | UInt32(digit)
        }
        return number
    }
}
