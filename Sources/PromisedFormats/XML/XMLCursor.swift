/// A position in a document, and the parts of tags and texts that are read from it.
struct XMLCursor {
    let bytes: [UInt8]
    /// The index of the current byte, or their count at the end.
    var position = 0

    /// A cursor at the first byte.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// `true` after the last byte.
    var isAtEnd: Bool { position >= bytes.count }

    /// The current byte; invalid at the end.
    var byte: UInt8 { bytes[position] }

    /// A fault at the current byte.
    func fault(_ problem: XMLProblem) -> XMLFault { XMLFault(problem: problem, offset: position) }

    /// `true` if the next bytes are those of a text.
    func isAt(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    /// `true` if the document ends within one of the texts.
    func isCutOff(_ texts: String...) -> Bool {
        texts.contains { text in text.utf8.starts(with: bytes[position...]) }
    }

    /// Skips white space.
    mutating func skipSpace() {
        while !isAtEnd, byte.isXMLSpace { position += 1 }
    }

    /// Skips a byte, which must be `expected`.
    mutating func skip(_ expected: UInt8) throws(XMLFault) {
        guard !isAtEnd else { throw fault(.truncated) }
        guard byte == expected else { throw fault(.syntax) }
        position += 1
    }

    /// Skips the bytes up to and including the first occurrence of two ASCII characters.
    mutating func skip(past text: String) throws(XMLFault) {
        let first = text.utf8.first
        while !isAtEnd, byte != first || !isAt(text) { position += 1 }
        guard !isAtEnd else { throw fault(.truncated) }
        position += text.utf8.count
    }

    /// Reads a name.
    mutating func readName() throws(XMLFault) -> Range<Int> {
        let start = position
        guard !isAtEnd else { throw fault(.truncated) }
        guard byte.startsXMLName else { throw fault(.syntax) }
        while !isAtEnd, byte.continuesXMLName { position += 1 }
        return start..<position
    }

    /// Reads the value of an attribute. Returns its range between the quotes.
    mutating func readQuoted() throws(XMLFault) -> Range<Int> {
        guard !isAtEnd else { throw fault(.truncated) }
        let quote = byte
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw fault(.syntax) }
        position += 1
        let start = position
        while !isAtEnd, byte != quote {
            guard byte != .tagStart else { throw fault(.syntax) }
            if byte == .ampersand {
                _ = try readReference()
            } else {
                position += 1
            }
        }
        try skip(quote)
        return start..<position - 1
    }

    /// Reads a reference, whose `&` is the current byte.
    mutating func readReference() throws(XMLFault) -> Unicode.Scalar {
        let start = position
        // The longest is "&#1114111;"; a few leading zeros are accepted.
        let end = bytes[(start + 1)...].prefix(16).firstIndex { !$0.continuesXMLName && $0 != UInt8(ascii: "#") }
        guard let end else { throw fault(bytes.count - start < 17 ? .truncated : .entity) }
        guard bytes[end] == UInt8(ascii: ";"), let scalar = XMLReference.scalar(bytes[start + 1..<end]) else {
            throw fault(.entity)
        }
        position = end + 1
        return scalar
    }
}
