/// Extracts the elements of one array from a JSON document that arrives in chunks, without parsing them.
///
/// ```
/// value ── { ─▶ firstName ── "…" ─▶ colon ── : ─▶ value            (the name sought, once for each of the path)
///                  name ─────┘       └── : ─▶ skippedStart ─▶ skipped ─▶ afterMember ── , ─▶ name
/// value ── [ ─▶ firstElement ─▶ element ─▶ separator ── , ─▶ nextElement ─▶ element
///                    └────────── ] ───────────┴─▶ done
/// ```
///
/// Brackets, quotes and commas must be in place up to the end of the array; text after it is ignored. The elements
/// themselves are validated by their parser.
package struct JSONSplitter: Sendable {
    /// An element of the array.
    package struct Element: Hashable, Sendable {
        /// The line it begins on, from 1.
        package var line: Int
        /// Its bytes; nil if they exceed the limit.
        package var bytes: [UInt8]?
    }

    private let path: [String]
    private let longest: Int
    private var state = State.value
    private var line = 1
    /// The number of names of the path found so far.
    private var found = 0
    /// The bytes of the current name or element.
    private var kept: [UInt8] = []
    private var isTooLong = false
    private var elementLine = 1
    private var extent = JSONExtent()

    private enum State {
        case value
        case firstName
        case name
        case nameText
        case colon
        case skippedStart
        case skipped
        case afterMember
        case firstElement
        case nextElement
        case element
        case separator
        case done

        /// `true` while the bytes belong to a value whose end ``JSONExtent`` finds.
        var isInsideValue: Bool { self == .nameText || self == .skipped || self == .element }
    }

    /// A splitter at the start of a document.
    ///
    /// - Parameters:
    ///   - path: the names that lead to the array; empty if the document is the array.
    ///   - longest: the most bytes of an element.
    package init(path: [String], longest: Int = .max) {
        self.path = path
        self.longest = longest
    }

    /// Appends the elements that end in a chunk of UTF-8.
    ///
    /// - Throws: ``FormatError/malformed(line:reason:)`` if there is no such array or a separator is missing; reading
    ///   cannot continue afterwards.
    package mutating func read(_ chunk: [UInt8], into elements: inout [Element]) throws(FormatError) {
        var index = 0
        while index < chunk.count, state != .done {
            if state.isInsideValue {
                index = readValue(of: chunk, from: index, into: &elements)
                continue
            }
            let byte = chunk[index]
            if byte == UInt8(ascii: "\n") { line += 1 }
            if !byte.isJSONSpace { try step(byte) }
            // A value begins with the byte that announced it.
            if !state.isInsideValue { index += 1 }
        }
    }

    /// `true` once the array was found.
    var isInRows: Bool { found == path.count && state != .value }

    /// Ends the document.
    ///
    /// - Throws: ``FormatError/malformed(line:reason:)`` if the array has not ended.
    package mutating func finish() throws(FormatError) {
        guard state != .done else { return }
        throw fault(isInRows ? "the document breaks off inside its rows" : Self.missing(path))
    }

    // MARK: - Between values

    private mutating func step(_ byte: UInt8) throws(FormatError) {
        switch (state, byte) {
        case (.value, UInt8(ascii: "{")) where found < path.count: state = .firstName
        case (.value, UInt8(ascii: "[")) where found == path.count: state = .firstElement
        case (.value, _), (.firstName, UInt8(ascii: "}")), (.afterMember, UInt8(ascii: "}")):
            throw fault(Self.missing(path))
        case (.firstName, UInt8(ascii: "\"")), (.name, UInt8(ascii: "\"")): beginValue(.nameText)
        case (.colon, UInt8(ascii: ":")): endName()
        case (.skippedStart, _) where byte.beginsJSONValue: beginValue(.skipped)
        case (.afterMember, UInt8(ascii: ",")): state = .name
        case (.firstElement, UInt8(ascii: "]")), (.separator, UInt8(ascii: "]")): state = .done
        case (.firstElement, _) where byte.beginsJSONValue, (.nextElement, _) where byte.beginsJSONValue:
            elementLine = line
            beginValue(.element)
        case (.separator, UInt8(ascii: ",")): state = .nextElement
        default: throw fault("the document is not JSON here: a name, a value, a comma or a bracket is missing")
        }
    }

    private mutating func endName() {
        if JSONParser.value(of: kept) == .text(path[found]) {
            found += 1
            state = .value
        } else {
            state = .skippedStart
        }
    }

    private static func missing(_ path: [String]) -> String {
        path.isEmpty
            ? "the document is not an array of rows: name the array inside it, for example --rows a.b"
            : "the document has no array of rows at \(path.joined(separator: "."))"
    }

    private func fault(_ reason: String) -> FormatError { .malformed(line: line, reason: reason) }

    // MARK: - Inside values

    private mutating func beginValue(_ next: State) {
        kept = []
        isTooLong = false
        extent = JSONExtent()
        state = next
    }

    /// Reads the bytes up to the end of the current name, element or skipped value.
    ///
    /// - Returns: the index after them.
    private mutating func readValue(of chunk: [UInt8], from: Int, into elements: inout [Element]) -> Int {
        let end = extent.end(in: chunk, from: from, line: &line)
        if state != .skipped { keep(chunk[from..<end]) }
        guard extent.hasEnded else { return end }
        switch state {
        case .nameText: state = .colon
        case .element:
            elements.append(Element(line: elementLine, bytes: isTooLong ? nil : kept))
            kept = []
            state = .separator
        default: state = .afterMember
        }
        return end
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong else { return }
        if kept.count + bytes.count > longest {
            isTooLong = true
            kept = []
        } else {
            kept += bytes
        }
    }
}
