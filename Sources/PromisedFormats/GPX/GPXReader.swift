import PromisedDomain

/// Converts the tokens of a GPX file into a document.
struct GPXReader {
    private var tokens: XMLTokenizer
    private var namespaces = XMLNamespaces(belongs: GPXReader.isOfGPX)
    /// The open elements, outermost first.
    private var open: [GPXElement] = []
    private var assembly = GPXAssembly()
    /// The program in the root element; nil before the root, or without one.
    private(set) var creator: String?
    /// The text so far of the innermost open element with text, up to ``longestText``.
    private var text: [UInt8] = []
    /// The points without a position so far.
    private(set) var problems = PositionProblems()
    /// The line on which the file breaks off; nil if it is complete.
    private(set) var brokenOffLine: Int?

    /// The number of bytes stored of a text: the longest displayed text, a memo, has at most 32,000. A file may consist
    /// of one text.
    private static let longestText = 65_536

    /// A reader at the start of a file.
    init(_ bytes: [UInt8]) throws(GPXError) {
        tokens = try Self.checked(bytes) { () throws(XMLFault) in try XMLTokenizer(bytes) }
    }

    /// The number of points dropped so far.
    var droppedCount: Int { assembly.droppedCount }

    /// The document, after reading the file to its end, or to where it breaks off.
    mutating func read() throws(GPXError) -> GPXDocument {
        do throws(GPXError) {
            while try readToken() {}
        } catch {
            guard case .malformed(let line, .truncated) = error else { throw error }
            brokenOffLine = line
            endWhole()
            guard assembly.hasPoints else { throw error }
        }
        return assembly.finished()
    }

    /// Reads the next token. Returns `false` at the end of the document.
    private mutating func readToken() throws(GPXError) -> Bool {
        let offset = tokens.offset
        switch try Self.checked(tokens.bytes, { () throws(XMLFault) in try tokens.next() }) {
        case .start: try begin(at: offset)
        case .end: end()
        case .text(let range): add(tokens.bytes[range])
        case .scalar(let scalar): add(Array(scalar.utf8)[...])
        case .finished: return false
        }
        return true
    }

    /// Ends the open elements that are usable although incomplete: an incomplete text is dropped, a track if it has no
    /// points yet, and a point unless the points towards the next one have begun.
    private mutating func endWhole() {
        for element in open.reversed() {
            switch element {
            case .segment: assembly.end(element)
            case .track where assembly.hasOpenPoints, .route where assembly.hasOpenPoints: assembly.end(element)
            case .routePoint where assembly.hasShape: assembly.end(element)
            default: break
            }
        }
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        guard open.last?.hasText == true, text.count < GPXReader.longestText else { return }
        var part = bytes.prefix(GPXReader.longestText - text.count)
        // Avoids a break within a character.
        while part.count < bytes.count, !part.isEmpty, bytes[part.endIndex] & 0xC0 == 0x80 { part = part.dropLast() }
        text += part
    }

    private mutating func begin(at offset: Int) throws(GPXError) {
        let name = try Self.checked(tokens.bytes) { () throws(XMLFault) in try namespaces.begin(tokens) }
        let element = try element(name)
        if open.isEmpty {
            creator = attribute("creator").map { String(decoding: $0.trimmingXMLSpace(), as: UTF8.self) }
        }
        if element.hasText { text.removeAll(keepingCapacity: true) }
        open.append(element)
        let coordinate = element.hasPosition ? self.coordinate : nil
        if element.hasPosition, coordinate == nil {
            problems.note(positionProblem, line: tokens.bytes.line(at: offset))
        }
        do throws(GPXError.Limit) {
            try assembly.begin(element, at: coordinate)
        } catch {
            throw .tooMuch(line: tokens.bytes.line(at: offset), error)
        }
    }

    private mutating func end() {
        let element = open.removeLast()
        namespaces.end()
        if element.hasText, let parent = open.last {
            assembly.take(text[...].trimmingXMLSpace(), of: element, in: parent)
        }
        assembly.end(element)
    }

    private func element(_ name: ArraySlice<UInt8>?) throws(GPXError) -> GPXElement {
        if let parent = open.last { return name.map(parent.child) ?? .skipped }
        // The attribute 'version' is ignored: many programs write their own there.
        guard name?.elementsEqual("gpx".utf8) == true else {
            throw .notGPX(line: tokens.bytes.line(at: tokens.name.lowerBound))
        }
        return .gpx
    }

    /// The namespaces, without the version that follows, of GPX and of Garmin's extensions, in which its programs write
    /// the ways of routes.
    private static let publishers =
        ["http", "https"].flatMap { scheme in ["www.", ""].map { "\(scheme)://\($0)topografix.com/gpx/" } }
        + ["http://www.garmin.com/xmlschemas/gpxextensions/v"]

    /// `true` for the namespace of a version of GPX, such as `http://www.topografix.com/GPX/1/1`, also with https,
    /// without `www.`, in other case, with a point between the numbers or a slash at the end. Extensions of the same
    /// publisher have a word in place of the numbers. Also `true` for Garmin's extensions; the elements read from them
    /// have unique names.
    private static func isOfGPX(_ namespace: String) -> Bool {
        let name = namespace.lowercased()
        guard let publisher = publishers.first(where: name.hasPrefix) else { return false }
        let version = name.utf8.dropFirst(publisher.utf8.count)
        return version.first?.isDigit == true && version.allSatisfy { $0.isDigit || "./".utf8.contains($0) }
    }

    private var coordinate: Coordinate? {
        guard let latitude = attribute("lat"), let longitude = attribute("lon") else { return nil }
        return GPXNumber.coordinate(latitude: latitude, longitude: longitude)
    }

    private var positionProblem: PositionProblem {
        guard let latitude = attribute("lat"), let longitude = attribute("lon") else { return .missing }
        return GPXNumber.problem(latitude: latitude, longitude: longitude)
    }

    private func attribute(_ name: String) -> ArraySlice<UInt8>? {
        let attribute = tokens.attributes.first { tokens.bytes[$0.name].elementsEqual(name.utf8) }
        return attribute.map(tokens.value)
    }

    /// The result of `body`; a fault gets the line in place of the offset.
    private static func checked<Value>(
        _ bytes: [UInt8],
        _ body: () throws(XMLFault) -> Value
    ) throws(GPXError) -> Value {
        do throws(XMLFault) {
            return try body()
        } catch {
            throw .malformed(line: bytes.line(at: error.offset), error.problem)
        }
    }
}
