/// Reads the tokens of an XML 1.0 document in memory, one after the other, and checks that it is well-formed.
///
/// ```
/// prolog ── < ─▶ content ── </ of the last open element ─▶ epilog ── end of the bytes ─▶ finished
///                   └── <![CDATA[ ─▶ literal ── ]]> ─▶ content
/// ```
///
/// UTF-8 only, no document type declaration, so the only entities are the five of XML and the numbers of characters.
/// Nothing is copied; each byte is examined a bounded number of times, and memory beyond the document is bounded by
/// ``XMLLimit``. Characters beyond ASCII in names are not checked.
struct XMLTokenizer {
    /// A part of the document; ranges are indices of ``XMLTokenizer/bytes``.
    enum Token: Hashable {
        /// A start tag or the start of an empty element; its name and attributes are ``XMLTokenizer/name`` and
        /// ``XMLTokenizer/attributes``.
        case start
        /// An end tag or the end of an empty element.
        case end
        /// Text without references and CR; an element's text may come in several parts.
        case text(Range<Int>)
        /// The character of a reference, or LF for a CR alone.
        case scalar(Unicode.Scalar)
        /// The end of the document.
        case finished
    }

    /// An attribute of a start tag.
    struct Attribute {
        var name: Range<Int>
        /// Without quotes; references and line ends are as in the document.
        var value: Range<Int>
    }

    private enum State {
        case prolog
        case content
        case literal
        /// After an empty element, whose end follows.
        case empty
        case epilog
    }

    private var cursor: XMLCursor
    /// The name of the element that began last, with its prefix.
    private(set) var name = 0..<0
    /// The attributes of the element that began last.
    private(set) var attributes: [Attribute] = []
    /// The names of the open elements, outermost first.
    private var open: [Range<Int>] = []
    private var state = State.prolog

    /// A tokenizer at the start of a document; a byte order mark and the XML declaration are skipped.
    ///
    /// White space before the declaration, which XML forbids but programs write, is skipped as well.
    init(_ bytes: [UInt8]) throws(XMLFault) {
        cursor = XMLCursor(bytes)
        if let fault = bytes.xmlCharacterFault { throw fault }
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        if isMarked { cursor.position = 3 }
        let start = cursor.position
        cursor.skipSpace()
        let afterName = cursor.position + 5
        if cursor.isAt("<?xml"), afterName < bytes.count, bytes[afterName].isXMLSpace {
            try readDeclaration(isMarked: isMarked)
        } else {
            cursor.position = start
        }
    }

    var bytes: [UInt8] { cursor.bytes }

    /// Where the next token begins.
    var offset: Int { cursor.position }

    /// The value of an attribute, with its references resolved.
    func value(of attribute: Attribute) -> ArraySlice<UInt8> { XMLReference.resolved(bytes[attribute.value]) }

    mutating func next() throws(XMLFault) -> Token {
        while !cursor.isAtEnd || state == .empty {
            let token: Token? =
                switch state {
                case .empty: endElement()
                case .literal: try readLiteral()
                case .content: cursor.byte == .tagStart ? try readMarkup() : try readText()
                case .prolog, .epilog: try readOutside()
                }
            if let token { return token }
        }
        guard state == .epilog else { throw cursor.fault(.truncated) }
        return .finished
    }

    // MARK: - Markup

    private mutating func readOutside() throws(XMLFault) -> Token? {
        if cursor.byte.isXMLSpace {
            cursor.position += 1
            return nil
        }
        guard cursor.byte == .tagStart else { throw cursor.fault(.syntax) }
        return try readMarkup()
    }

    private mutating func readMarkup() throws(XMLFault) -> Token? {
        guard cursor.position + 1 < bytes.count else { throw cursor.fault(.truncated) }
        switch bytes[cursor.position + 1] {
        case UInt8(ascii: "!"): try readDeclared()
        case UInt8(ascii: "?"): try readInstruction()
        case .slash: return try readEndTag()
        default: return try readStartTag()
        }
        return nil
    }

    private mutating func readStartTag() throws(XMLFault) -> Token {
        guard state != .epilog else { throw cursor.fault(.syntax) }
        guard open.count < XMLLimit.depth else { throw cursor.fault(.depth) }
        cursor.position += 1
        name = try cursor.readName()
        try readAttributes()
        open.append(name)
        state = .content
        if cursor.byte == .slash {
            cursor.position += 1
            state = .empty
        }
        try cursor.skip(.tagEnd)
        return .start
    }

    private mutating func readEndTag() throws(XMLFault) -> Token {
        let start = cursor.position
        cursor.position += 2
        let name = try cursor.readName()
        guard !cursor.isAtEnd else { throw cursor.fault(.truncated) }
        guard let last = open.last else { throw XMLFault(problem: .syntax, offset: start) }
        guard bytes[last] == bytes[name] else { throw XMLFault(problem: .mismatch, offset: start) }
        cursor.skipSpace()
        try cursor.skip(.tagEnd)
        return endElement()
    }

    private mutating func endElement() -> Token {
        open.removeLast()
        state = open.isEmpty ? .epilog : .content
        return .end
    }

    /// Skips a comment or the start of a CDATA section.
    private mutating func readDeclared() throws(XMLFault) {
        if cursor.isAt("<!--") {
            cursor.position += 4
            try cursor.skip(past: "--")
            try cursor.skip(.tagEnd)
        } else if cursor.isAt("<![CDATA["), state == .content {
            cursor.position += 9
            state = .literal
        } else {
            if cursor.isAt("<!DOCTYPE") { throw cursor.fault(.doctype) }
            throw cursor.fault(cursor.isCutOff("<!DOCTYPE", "<![CDATA[", "<!--") ? .truncated : .syntax)
        }
    }

    private mutating func readInstruction() throws(XMLFault) {
        let start = cursor.position
        cursor.position += 2
        let target = try cursor.readName()
        guard !cursor.isAtEnd else { throw cursor.fault(.truncated) }
        // "<?xml" elsewhere than at the start of the document is reserved, in upper or lower case.
        let isReserved = bytes[target].map { $0 | 0x20 } == Array("xml".utf8)
        guard !isReserved else { throw XMLFault(problem: .syntax, offset: start) }
        guard cursor.isAt("?>") || cursor.byte.isXMLSpace else {
            throw cursor.fault(cursor.isCutOff("?>") ? .truncated : .syntax)
        }
        try cursor.skip(past: "?>")
    }

    /// Encodings with more than one byte for each ASCII character. A document whose declaration can be read byte by
    /// byte cannot be in one of them, whatever it declares.
    private static let wideEncodings = ["utf-16", "utf-32", "ucs-2", "ucs-4", "iso-10646-ucs", "unicode"]

    /// Skips the XML declaration (XML 1.0 section 2.8). The bytes are valid UTF-8: a declared encoding that contradicts
    /// the byte order mark or the width is ignored.
    private mutating func readDeclaration(isMarked: Bool) throws(XMLFault) {
        cursor.position += 5
        try readAttributes()
        let names = attributes.map { String(decoding: bytes[$0.name], as: UTF8.self) }
        let isInOrder = names == ["version", "encoding", "standalone"].filter(names.contains)
        guard isInOrder, names.first == "version" else { throw cursor.fault(.syntax) }
        for (name, attribute) in zip(names, attributes) {
            let value = String(decoding: bytes[attribute.value], as: UTF8.self).lowercased()
            let (isRead, problem): (Bool, XMLProblem) =
                switch name {
                case "version": (["1.0", "1.1"].contains(value), .syntax)
                case "encoding":
                    (
                        isMarked || ["utf-8", "utf8", "us-ascii"].contains(value)
                            || Self.wideEncodings.contains(where: value.hasPrefix), .encoding
                    )
                default: (["yes", "no"].contains(value), .syntax)
                }
            guard isRead else { throw XMLFault(problem: problem, offset: attribute.value.lowerBound) }
        }
        try cursor.skip(UInt8(ascii: "?"))
        try cursor.skip(.tagEnd)
    }

    // MARK: - Tags

    /// Reads attributes up to a byte that ends the tag: `>`, `/` or `?`.
    private mutating func readAttributes() throws(XMLFault) {
        attributes.removeAll(keepingCapacity: true)
        while true {
            let before = cursor.position
            cursor.skipSpace()
            guard !cursor.isAtEnd else { throw cursor.fault(.truncated) }
            switch cursor.byte {
            case .tagEnd, .slash, UInt8(ascii: "?"): return
            case _ where cursor.position > before: try readAttribute()
            default: throw cursor.fault(.syntax)
            }
        }
    }

    private mutating func readAttribute() throws(XMLFault) {
        let start = cursor.position
        let name = try cursor.readName()
        let isTwice = attributes.contains { bytes[$0.name] == bytes[name] }
        guard !isTwice, attributes.count < XMLLimit.attributes else {
            throw XMLFault(problem: .attributes, offset: start)
        }
        cursor.skipSpace()
        try cursor.skip(UInt8(ascii: "="))
        cursor.skipSpace()
        attributes.append(Attribute(name: name, value: try cursor.readQuoted()))
    }

    // MARK: - Text

    private mutating func readText() throws(XMLFault) -> Token? {
        let start = cursor.position
        while !cursor.isAtEnd {
            switch cursor.byte {
            case .tagStart, .ampersand, .carriageReturn:
                if cursor.position > start { return .text(start..<cursor.position) }
                return cursor.byte == .ampersand ? .scalar(try cursor.readReference()) : readLineEnd()
            case .tagEnd where bytes[start..<cursor.position].suffix(2).elementsEqual("]]".utf8):
                throw cursor.fault(.syntax)
            default: cursor.position += 1
            }
        }
        return .text(start..<cursor.position)
    }

    private mutating func readLiteral() throws(XMLFault) -> Token? {
        let start = cursor.position
        while !cursor.isAtEnd {
            if cursor.byte == .carriageReturn {
                return cursor.position > start ? .text(start..<cursor.position) : readLineEnd()
            }
            if cursor.byte == UInt8(ascii: "]"), cursor.isAt("]]>") {
                state = .content
                cursor.position += 3
                return .text(start..<cursor.position - 3)
            }
            cursor.position += 1
        }
        throw cursor.fault(.truncated)
    }

    /// Skips a CR; it counts as LF unless one follows (XML 1.0 section 2.11).
    private mutating func readLineEnd() -> Token? {
        cursor.position += 1
        return !cursor.isAtEnd && cursor.byte == .newline ? nil : .scalar("\n")
    }
}
