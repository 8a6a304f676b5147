/// Reads the tokens of an XML 1.0 document in memory, one after the other, and checks that it is well-formed.
///
/// ```
/// prolog ── < ─▶ content ── </ of the last open element ─▶ epilog ── end of the bytes ─▶ finished
///                   └── <![CDATA[ ─▶ literal ── ]]> ─▶ content
/// ```
///
/// UTF-8 only, no document type declaration, so no entities but the five of XML and the numbers of characters. Nothing is
/// copied; each byte is looked at a fixed number of times, and memory beyond the document is bounded by ``XMLLimit``. Not checked: which characters beyond ASCII a name may have, and the target of an instruction.
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
        /// A character that a reference stands for, or LF for a CR alone.
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
        /// After an empty element, whose end is to come.
        case empty
        case epilog
    }

    /// The document.
    let bytes: [UInt8]
    /// The name of the element that began last, with its prefix.
    private(set) var name = 0..<0
    /// The attributes of the element that began last.
    private(set) var attributes: [Attribute] = []
    /// The names of the open elements, outermost first.
    private var open: [Range<Int>] = []
    private var position = 0
    private var state = State.prolog

    /// A tokenizer at the start of a document; a byte order mark and the XML declaration are skipped.
    init(_ bytes: [UInt8]) throws(XMLFault) {
        self.bytes = bytes
        if let fault = bytes.xmlCharacterFault { throw fault }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        if isAt("<?xml"), position + 5 < bytes.count, bytes[position + 5].isXMLSpace { try readDeclaration() }
    }

    /// Where the next token begins.
    var offset: Int { position }

    /// The value of an attribute, with its references resolved.
    func value(of attribute: Attribute) -> ArraySlice<UInt8> { XMLReference.resolved(bytes[attribute.value]) }

    /// The next token.
    mutating func next() throws(XMLFault) -> Token {
        while position < bytes.count || state == .empty {
            let token: Token? =
                switch state {
                case .empty: endElement()
                case .literal: try readLiteral()
                case .content: bytes[position] == .tagStart ? try readMarkup() : try readText()
                case .prolog, .epilog: try readOutside()
                }
            if let token { return token }
        }
        guard state == .epilog else { throw fault(.truncated) }
        return .finished
    }

    // MARK: - Markup

    private mutating func readOutside() throws(XMLFault) -> Token? {
        if bytes[position].isXMLSpace {
            position += 1
            return nil
        }
        guard bytes[position] == .tagStart else { throw fault(.syntax) }
        return try readMarkup()
    }

    private mutating func readMarkup() throws(XMLFault) -> Token? {
        guard position + 1 < bytes.count else { throw fault(.truncated) }
        switch bytes[position + 1] {
        case UInt8(ascii: "!"): try readDeclared()
        case UInt8(ascii: "?"): try readInstruction()
        case .slash: return try readEndTag()
        default: return try readStartTag()
        }
        return nil
    }

    private mutating func readStartTag() throws(XMLFault) -> Token {
        guard state != .epilog else { throw fault(.syntax) }
        guard open.count < XMLLimit.depth else { throw fault(.depth) }
        position += 1
        name = try readName()
        try readAttributes()
        open.append(name)
        state = .content
        if bytes[position] == .slash {
            position += 1
            state = .empty
        }
        try skip(.tagEnd)
        return .start
    }

    private mutating func readEndTag() throws(XMLFault) -> Token {
        let start = position
        position += 2
        let name = try readName()
        guard position < bytes.count else { throw fault(.truncated) }
        guard let last = open.last else { throw XMLFault(problem: .syntax, offset: start) }
        guard bytes[last] == bytes[name] else { throw XMLFault(problem: .mismatch, offset: start) }
        skipSpace()
        try skip(.tagEnd)
        return endElement()
    }

    private mutating func endElement() -> Token {
        open.removeLast()
        state = open.isEmpty ? .epilog : .content
        return .end
    }

    /// Skips a comment or the start of a CDATA section.
    private mutating func readDeclared() throws(XMLFault) {
        if isAt("<!--") {
            position += 4
            try skip(past: "--")
            try skip(.tagEnd)
        } else if isAt("<![CDATA["), state == .content {
            position += 9
            state = .literal
        } else {
            if isAt("<!DOCTYPE") { throw fault(.doctype) }
            throw fault(isCutOff("<!DOCTYPE", "<![CDATA[", "<!--") ? .truncated : .syntax)
        }
    }

    private mutating func readInstruction() throws(XMLFault) {
        let start = position
        position += 2
        let target = try readName()
        guard position < bytes.count else { throw fault(.truncated) }
        // "<?xml" other than at the start of the document, in any case of letters, is reserved.
        let isReserved = bytes[target].map { $0 | 0x20 } == Array("xml".utf8)
        guard !isReserved else { throw XMLFault(problem: .syntax, offset: start) }
        guard isAt("?>") || bytes[position].isXMLSpace else { throw fault(isCutOff("?>") ? .truncated : .syntax) }
        try skip(past: "?>")
    }

    /// Skips the XML declaration (XML 1.0 §2.8).
    private mutating func readDeclaration() throws(XMLFault) {
        position += 5
        try readAttributes()
        let names = attributes.map { String(decoding: bytes[$0.name], as: UTF8.self) }
        let isInOrder = names == ["version", "encoding", "standalone"].filter(names.contains)
        guard isInOrder, names.first == "version" else { throw fault(.syntax) }
        for (name, attribute) in zip(names, attributes) {
            let value = String(decoding: bytes[attribute.value], as: UTF8.self).lowercased()
            let (isRead, problem): (Bool, XMLProblem) =
                switch name {
                case "version": (["1.0", "1.1"].contains(value), .syntax)
                case "encoding": (["utf-8", "us-ascii"].contains(value), .encoding)
                default: (["yes", "no"].contains(value), .syntax)
                }
            guard isRead else { throw XMLFault(problem: problem, offset: attribute.value.lowerBound) }
        }
        try skip(UInt8(ascii: "?"))
        try skip(.tagEnd)
    }

    // MARK: - Tags

    private mutating func readName() throws(XMLFault) -> Range<Int> {
        let start = position
        guard position < bytes.count else { throw fault(.truncated) }
        guard bytes[position].startsXMLName else { throw fault(.syntax) }
        while position < bytes.count, bytes[position].continuesXMLName { position += 1 }
        return start..<position
    }

    /// Reads attributes up to a byte that ends the tag: `>`, `/` or `?`.
    private mutating func readAttributes() throws(XMLFault) {
        attributes.removeAll(keepingCapacity: true)
        while true {
            let before = position
            skipSpace()
            guard position < bytes.count else { throw fault(.truncated) }
            switch bytes[position] {
            case .tagEnd, .slash, UInt8(ascii: "?"): return
            case _ where position > before: try readAttribute()
            default: throw fault(.syntax)
            }
        }
    }

    private mutating func readAttribute() throws(XMLFault) {
        let start = position
        let name = try readName()
        let isTwice = attributes.contains { bytes[$0.name] == bytes[name] }
        guard !isTwice, attributes.count < XMLLimit.attributes else {
            throw XMLFault(problem: .attributes, offset: start)
        }
        skipSpace()
        try skip(UInt8(ascii: "="))
        skipSpace()
        attributes.append(Attribute(name: name, value: try readQuoted()))
    }

    private mutating func readQuoted() throws(XMLFault) -> Range<Int> {
        guard position < bytes.count else { throw fault(.truncated) }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw fault(.syntax) }
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != quote {
            guard bytes[position] != .tagStart else { throw fault(.syntax) }
            if bytes[position] == .ampersand {
                _ = try readReference()
            } else {
                position += 1
            }
        }
        try skip(quote)
        return start..<position - 1
    }

    // MARK: - Text

    private mutating func readText() throws(XMLFault) -> Token? {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case .tagStart, .ampersand, .carriageReturn:
                if position > start { return .text(start..<position) }
                return bytes[position] == .ampersand ? .scalar(try readReference()) : readLineEnd()
            case .tagEnd where position >= start + 2 && bytes[position - 2..<position].elementsEqual("]]".utf8):
                throw fault(.syntax)
            default: position += 1
            }
        }
        return .text(start..<position)
    }

    private mutating func readLiteral() throws(XMLFault) -> Token? {
        let start = position
        while position < bytes.count {
            if bytes[position] == .carriageReturn {
                return position > start ? .text(start..<position) : readLineEnd()
            }
            if bytes[position] == UInt8(ascii: "]"), isAt("]]>") {
                state = .content
                position += 3
                return .text(start..<position - 3)
            }
            position += 1
        }
        throw fault(.truncated)
    }

    /// Skips a CR; it counts as LF unless one follows (XML 1.0 §2.11).
    private mutating func readLineEnd() -> Token? {
        position += 1
        return position < bytes.count && bytes[position] == .newline ? nil : .scalar("\n")
    }

    private mutating func readReference() throws(XMLFault) -> Unicode.Scalar {
        let start = position
        // The longest is "&#1114111;"; of leading zeros a few are taken.
        let end = bytes[(start + 1)...].prefix(16).firstIndex { !$0.continuesXMLName && $0 != UInt8(ascii: "#") }
        guard let end else { throw fault(bytes.count - start < 17 ? .truncated : .entity) }
        guard bytes[end] == UInt8(ascii: ";"), let scalar = XMLReference.scalar(bytes[start + 1..<end]) else {
            throw fault(.entity)
        }
        position = end + 1
        return scalar
    }

    // MARK: - Bytes

    private func fault(_ problem: XMLProblem) -> XMLFault { XMLFault(problem: problem, offset: position) }

    private func isAt(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    /// `true` if the document ends within one of the texts.
    private func isCutOff(_ texts: String...) -> Bool {
        texts.contains { text in text.utf8.starts(with: bytes[position...]) }
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position].isXMLSpace { position += 1 }
    }

    private mutating func skip(_ byte: UInt8) throws(XMLFault) {
        guard position < bytes.count else { throw fault(.truncated) }
        guard bytes[position] == byte else { throw fault(.syntax) }
        position += 1
    }

    /// Skips the bytes up to the first occurrence of two ASCII characters, and these.
    private mutating func skip(past text: String) throws(XMLFault) {
        let first = text.utf8.first
        while position < bytes.count, bytes[position] != first || !isAt(text) { position += 1 }
        guard position < bytes.count else { throw fault(.truncated) }
        position += text.utf8.count
    }
}
