extension UInt8 {
    static let tagStart = UInt8(ascii: "<")
    static let tagEnd = UInt8(ascii: ">")
    static let slash = UInt8(ascii: "/")
    static let ampersand = UInt8(ascii: "&")

    /// The production S of XML 1.0.
    var isXMLSpace: Bool { self == 0x20 || (0x09...0x0A).contains(self) || self == 0x0D }

    /// `true` if a name may begin with the byte: an ASCII letter, `_`, `:`, or any byte of a character beyond ASCII,
    /// although XML excludes a few.
    var startsXMLName: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self >= 0x80 || self == UInt8(ascii: "_")
            || self == UInt8(ascii: ":")
    }

    /// `true` if the byte may follow in a name.
    var continuesXMLName: Bool {
        startsXMLName || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }
}

extension Unicode.Scalar {
    /// The production Char of XML 1.0; a Swift scalar is never a surrogate.
    var isXMLCharacter: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}

extension [UInt8] {
    /// The line of an index, from 1; CR LF, LF alone and CR alone end a line.
    func line(at offset: Int) -> Int {
        var line = 1
        var previous: UInt8 = 0
        for byte in prefix(offset) {
            if byte == .newline ? previous != .carriageReturn : byte == .carriageReturn { line += 1 }
            previous = byte
        }
        return line
    }

    /// The bytes without a truncated character at their end, and without zeros there.
    var withoutCutEnd: [UInt8] {
        guard let end = lastIndex(where: { $0 != 0 }) else { return self }
        // The first byte of the last character determines its length (RFC 3629).
        let start = self[...end].lastIndex { $0 & 0xC0 != 0x80 } ?? end
        let length =
            switch self[start] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        let isCut = end - start + 1 < length
        return isCut || end < count - 1 ? Array(self[..<(isCut ? start : end + 1)]) : self
    }

    /// The first byte that is invalid in an XML document in UTF-8; nil without one.
    var xmlCharacterFault: XMLFault? {
        let start = prefix(2)
        let isWide = start.contains(0) || start.elementsEqual([0xFE, 0xFF]) || start.elementsEqual([0xFF, 0xFE])
        if isWide { return XMLFault(problem: .encoding, offset: 0) }
        do {
            _ = try UTF8Span(validating: span)
        } catch {
            return XMLFault(problem: .encoding, offset: error.byteOffsets.lowerBound)
        }
        return indices.first(where: isForbidden).map { XMLFault(problem: .character, offset: $0) }
    }

    /// `true` at a control character and at U+FFFE and U+FFFF.
    private func isForbidden(at index: Int) -> Bool {
        let byte = self[index]
        if byte < 0x20 { return !byte.isXMLSpace }
        return byte == 0xEF && self[index + 1] == 0xBF && self[index + 2] >= 0xBE
    }
}

/// Text to be written into XML.
enum XMLText {
    /// The text as the content of an element or the value of an attribute: escapes special characters and replaces
    /// invalid ones with U+FFFD. Reading returns the original text, including CR.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            case "\r": escaped += "&#13;"
            default: escaped.unicodeScalars.append(scalar.isXMLCharacter ? scalar : "\u{FFFD}")
            }
        }
    }
}
