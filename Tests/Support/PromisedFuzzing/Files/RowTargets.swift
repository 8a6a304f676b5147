import PromisedFormats

extension FuzzTarget {
    static let csv = FuzzTarget(
        "csv",
        "Pieces of a file give the records of the whole, and well-formed records are written and read again to the same.",
        longest: 2_048
    ) { bytes throws(Violation) in
        let whole = records(of: [bytes])
        for pieces in pieces(of: bytes) {
            try require(records(of: pieces) == whole, "other records in pieces of \(pieces.map(\.count))")
        }
        let fields = whole.filter { $0.problem == nil }.map(\.fields)
        // A record of one empty field is written as an empty line, which is skipped.
        guard !fields.contains([""]) else { return }
        try require(records(of: [Array(CSVWriter.text(of: fields).utf8)]).map(\.fields) == fields, "\(fields)")
    }

    static let geoJSON = FuzzTarget(
        "geojson",
        "Pieces of a JSON file give the elements of the whole, which are those that the parser finds.",
        longest: 4_096
    ) { bytes throws(Violation) in
        let path = bytes.first == UInt8(ascii: "[") ? [] : ["features"]
        let whole = try? elements(of: [bytes], path)
        for pieces in pieces(of: bytes) {
            try require((try? elements(of: pieces, path)) == whole, "others in pieces of \(pieces.map(\.count))")
        }
        guard case .array(let values) = JSONParser.value(of: bytes)?.value(at: path) else { return }
        let parsed = whole?.compactMap { $0.bytes.flatMap { JSONParser.value(of: $0) } }
        try require(parsed == values, "the parser finds \(values)")
    }

    static let places = FuzzTarget(
        "places",
        "Pieces of a file of places, in any format and encoding, give the outcomes of the whole, each row once.",
        longest: 2_048
    ) { bytes throws(Violation) in
        guard let format = bytes.first, let encoding = bytes.last else { return }
        let content = Array(bytes.dropFirst().dropLast())
        let whole = outcomes(of: [content], format, encoding)
        for pieces in pieces(of: content) {
            try require(outcomes(of: pieces, format, encoding) == whole, "others in pieces of \(pieces.map(\.count))")
        }
    }

    // MARK: - Readers

    private static func records(of pieces: [[UInt8]]) -> [CSVRecord] {
        var (reader, records) = (CSVReader(), [CSVRecord]())
        for piece in pieces { reader.read(piece, into: &records) }
        reader.finish(into: &records)
        return records
    }

    private static func elements(of pieces: [[UInt8]], _ path: [String]) throws -> [JSONSplitter.Element] {
        var (splitter, elements) = (JSONSplitter(path: path), [JSONSplitter.Element]())
        for piece in pieces { try splitter.read(piece, into: &elements) }
        try splitter.finish()
        return elements
    }

    /// The outcomes, and the final fault.
    private struct Reading: Equatable {
        var outcomes: [PlaceRowOutcome] = []
        var fault: FormatError?
    }

    private static func outcomes(of pieces: [[UInt8]], _ format: UInt8, _ encoding: UInt8) -> Reading {
        let formats: [RowFormat] = [.csv, .geoJSON, .json(rows: ["a", "b"]), .jsonLines]
        let encodings = TextEncoding.allCases
        var reading = Reading()
        do throws(FormatError) {
            var reader = try PlaceReader(
                formats[Int(format) % formats.count],
                encoding: encodings[Int(encoding) % encodings.count],
                mapping: try mapping(format),
                area: ImportArea()
            )
            for piece in pieces { try reader.read(piece, into: &reading.outcomes) }
            try reader.finish(into: &reading.outcomes)
        } catch {
            reading.fault = error
        }
        return reading
    }

    private static func mapping(_ format: UInt8) throws(FormatError) -> PlaceMapping {
        var mapping = PlaceMapping()
        let options = ["name=name", "latitude=lat", "longitude=lon", "address=address", "ref=ref", "hours=hours"]
        for option in options { try mapping.map(option: option) }
        if format & 4 == 0 { mapping.defaultCategory = "market" }
        return mapping
    }

    /// The bytes in pieces of one byte, of three, and in two halves.
    private static func pieces(of bytes: [UInt8]) -> [[[UInt8]]] {
        [1, 3, bytes.count / 2 + 1].map { size in
            stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        }
    }
}
