/// Extracts the features from GeoJSON that arrives in chunks: from a collection (RFC 7946), a single feature, or
/// consecutive documents, with or without a record separator before each (RFC 8142).
///
/// ```
/// start ── 0x1E ─▶ documents
///   └──── other ─▶ collection ── its document is a feature ─▶ documents (from the start)
/// ```
/// A collection is never buffered, whatever its size; a document of a sequence has at most ``RowReader/longestRow``
/// bytes.
struct FeatureSplitter: Sendable {
    private enum State {
        case start
        case collection(JSONSplitter)
        case documents
    }

    private var state = State.start
    /// The document so far, while it may turn out to be a single feature; nil once it is a collection or too long.
    private var head: [UInt8]? = []
    private var documents = JSONDocuments(longest: RowReader.longestRow)
    /// The last bytes of a collection, which may name the coordinate system after its features.
    private var tail: [UInt8] = []
    /// The EPSG number of the coordinates in a collection, as in GeoJSON of 2008; nil without one. If it follows the
    /// features, it is known only at the end.
    private(set) var epsg: Int?

    private static let tailLength = 4_096

    /// Appends the features that end in a chunk of UTF-8.
    ///
    /// - Throws: ``FormatError/malformed(line:reason:)`` if reading cannot continue; earlier features remain valid.
    mutating func read(_ chunk: [UInt8], into rows: inout [SourceRow]) throws(FormatError) {
        switch state {
        case .start:
            guard let first = chunk.first(where: { !$0.isJSONSpace }) else {
                head? += chunk
                return
            }
            let begun = (head ?? []) + chunk
            if first == JSONDocuments.separator {
                state = .documents
                try readDocuments(begun, into: &rows)
            } else {
                head = []
                state = .collection(JSONSplitter(path: ["features"], longest: RowReader.longestRow))
                try read(begun, into: &rows)
            }
        case .collection(var splitter): try readCollection(chunk, &splitter, into: &rows)
        case .documents: try readDocuments(chunk, into: &rows)
        }
    }

    /// Ends the file. Throws ``FormatError/malformed(line:reason:)`` if it is truncated.
    mutating func finish(into rows: inout [SourceRow]) throws(FormatError) {
        switch state {
        case .start: throw .malformed(line: 1, reason: "the file is empty: it has no features")
        case .collection(var splitter):
            try splitter.finish()
            epsg = epsg ?? Self.epsg(in: tail)
        case .documents: try documents.finish()
        }
    }

    private mutating func readCollection(
        _ chunk: [UInt8],
        _ splitter: inout JSONSplitter,
        into rows: inout [SourceRow]
    ) throws(FormatError) {
        tail = ((chunk.count < Self.tailLength ? tail : []) + chunk).suffix(Self.tailLength)
        if let known = head { head = known.count + chunk.count <= RowReader.longestRow ? known + chunk : nil }
        var elements: [JSONSplitter.Element] = []
        var fault: FormatError?
        do throws(FormatError) { try splitter.read(chunk, into: &elements) } catch { fault = error }
        for element in elements { rows.append(.feature(line: element.line, bytes: element.bytes)) }
        if let fault {
            guard let head, try readsDocuments(head, into: &rows) else { throw fault }
            return
        }
        if splitter.isInRows {
            if let head { epsg = epsg ?? Self.epsg(in: head) }
            head = nil
        }
        state = .collection(splitter)
    }

    /// Reads the head again as documents, if its first one is a feature.
    private mutating func readsDocuments(_ head: [UInt8], into rows: inout [SourceRow]) throws(FormatError) -> Bool {
        var trial = JSONDocuments(longest: RowReader.longestRow)
        var found: [JSONSplitter.Element] = []
        trial.read(head, into: &found)
        guard let bytes = found.first?.bytes, JSONParser.value(of: bytes)?["type"] == .text("Feature") else {
            return false
        }
        state = .documents
        self.head = nil
        try readDocuments(head, into: &rows)
        return true
    }

    private mutating func readDocuments(_ chunk: [UInt8], into rows: inout [SourceRow]) throws(FormatError) {
        var found: [JSONSplitter.Element] = []
        documents.read(chunk, into: &found)
        for document in found {
            guard let bytes = document.bytes, let value = JSONParser.value(of: bytes),
                value["type"] == .text("FeatureCollection"), case .array(let features) = value["features"]
            else {
                rows.append(.feature(line: document.line, bytes: document.bytes))
                continue
            }
            for feature in features { rows.append(.feature(line: document.line, feature)) }
        }
        if let line = documents.faultLine {
            throw .malformed(line: line, reason: "there is text that is no JSON between two documents")
        }
    }

    /// The number after "EPSG" in the member `crs` of a part of a document.
    private static func epsg(in part: [UInt8]) -> Int? {
        let text = String(decoding: part, as: UTF8.self)
        guard let crs = text.firstRange(of: #/"crs"\s*:\s*\{/#) else { return nil }
        let rest = text[crs.upperBound...].prefix { $0 != "[" }
        if let code = rest.firstMatch(of: #/"EPSG"[^\[]*"code"\s*:\s*(\d+)/#) { return Int(code.1) }
        guard let name = rest.firstRange(of: "EPSG:") else { return nil }
        // "EPSG:3857" and "urn:ogc:def:crs:EPSG::3857", which may have a version between the colons.
        let number = rest[name.upperBound...].prefix { $0 != "\"" }.split(separator: ":").last
        return number.flatMap { Int($0) }
    }
}

/// Extracts consecutive JSON documents from text that arrives in chunks.
struct JSONDocuments: Sendable {
    /// Precedes each document of a sequence (RFC 7464).
    static let separator: UInt8 = 0x1E

    private let longest: Int
    private var line = 1
    private var isInside = false
    private var firstLine = 1
    private var kept: [UInt8] = []
    private var isTooLong = false
    private var extent = JSONExtent()
    /// The line of the first byte outside a document; nil without one. Reading stops there.
    private(set) var faultLine: Int?

    init(longest: Int) { self.longest = longest }

    /// Appends the documents that end in a chunk. Only objects are documents.
    mutating func read(_ chunk: [UInt8], into documents: inout [JSONSplitter.Element]) {
        var index = 0
        while index < chunk.count, faultLine == nil {
            guard isInside else {
                begin(chunk[index])
                if !isInside { index += 1 }
                continue
            }
            let end = extent.end(in: chunk, from: index, line: &line)
            keep(chunk[index..<end])
            index = end
            guard extent.hasEnded else { continue }
            documents.append(JSONSplitter.Element(line: firstLine, bytes: isTooLong ? nil : kept))
            (isInside, kept, isTooLong) = (false, [], false)
        }
    }

    /// Throws ``FormatError/malformed(line:reason:)`` inside a document.
    func finish() throws(FormatError) {
        if isInside { throw .malformed(line: line, reason: "the document breaks off") }
    }

    private mutating func begin(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): (isInside, firstLine, extent) = (true, line, JSONExtent())
        case Self.separator: break
        case UInt8(ascii: "\n"): line += 1
        case _ where byte.isJSONSpace: break
        default: faultLine = line
        }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong else { return }
        isTooLong = kept.count + bytes.count > longest
        kept = isTooLong ? [] : kept + bytes
    }
}
