/// Reads the characters of an opening hours text from left to right. Letters are case-insensitive.
///
/// A function without a match consumes nothing.
struct HoursScanner {
    private let bytes: [UInt8]
    /// The index of the next unread byte; can be set back to an earlier one.
    var position = 0

    init(_ text: String) {
        bytes = text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    var isAtEnd: Bool { position == bytes.count }

    /// `true` before a digit.
    var isAtDigit: Bool { Self.isDigit(byte(0)) }

    /// `true` before a blank, and before a tab.
    var isAtBlank: Bool { byte(0) == UInt8(ascii: " ") || byte(0) == UInt8(ascii: "\t") }

    /// `true` before the time of a day, such as `8:00`.
    var isAtTime: Bool {
        let digits = digitCount
        guard (1...2).contains(digits) else { return false }
        // In `Mar 3:10:00-12:00` the first colon follows a day.
        return isColonWithMinute(digits) && !isColonWithMinute(digits + 3)
    }

    /// `true` before a year, such as `2026`.
    var isAtYear: Bool { digitCount == 4 && byte(4) != UInt8(ascii: ":") }

    mutating func skipBlanks() {
        while isAtBlank { position += 1 }
    }

    /// Skips a text, given in lower case, if it comes next.
    mutating func accept(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        let found = text.withUTF8Buffer { bytes[position...].prefix(length).elementsEqual($0) }
        if found { position += length }
        return found
    }

    /// Skips a text, given in lower case, and the blanks on both sides of it, if it comes next.
    mutating func acceptBetweenBlanks(_ text: StaticString) -> Bool {
        let start = position
        skipBlanks()
        guard accept(text) else {
            position = start
            return false
        }
        skipBlanks()
        return true
    }

    /// The letters up to the next other character, in lower case; empty if there are none.
    mutating func readWord() -> String {
        let letters = bytes[position...].prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        position += letters.count
        return String(decoding: letters, as: UTF8.self)
    }

    /// A number of `digits` digits, if exactly that number of digits comes next.
    mutating func readNumber(digits: ClosedRange<Int>) -> Int? {
        let count = digitCount
        guard digits.contains(count) else { return nil }
        defer { position += count }
        return bytes[position..<position + count].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Skips a comment in double quotes, if one comes next. An unmatched quote begins no comment.
    mutating func acceptComment() -> Bool {
        guard byte(0) == UInt8(ascii: "\""),
            let end = bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "\""))
        else { return false }
        position = end + 1
        return true
    }

    private var digitCount: Int {
        var count = 0
        while count < 5, Self.isDigit(byte(count)) { count += 1 }
        return count
    }

    private func isColonWithMinute(_ offset: Int) -> Bool {
        byte(offset) == UInt8(ascii: ":") && Self.isDigit(byte(offset + 1)) && Self.isDigit(byte(offset + 2))
    }

    private func byte(_ offset: Int) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private static func isDigit(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// A part of an opening hours text is not in the grammar.
struct UnreadableHours: Error {}
