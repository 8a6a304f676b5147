import PromisedFormats

/// The places and refusals of a file in memory.
struct PlaceFile {
    private(set) var places: [PlaceRow] = []
    private(set) var refusals: [RowRefusal] = []
    private(set) var tally = ImportTally()

    /// Reads chunks to their end.
    init(
        _ chunks: [[UInt8]],
        _ format: RowFormat = .csv,
        encoding: TextEncoding = .utf8,
        mapping: PlaceMapping,
        area: ImportArea = ImportArea()
    ) throws {
        var reader = try PlaceReader(format, encoding: encoding, mapping: mapping, area: area)
        var outcomes: [PlaceRowOutcome] = []
        for chunk in chunks { try reader.read(chunk, into: &outcomes) }
        try reader.finish(into: &outcomes)
        tally = reader.tally
        for outcome in outcomes {
            switch outcome {
            case .taken(let place): places.append(place)
            case .refused(let refusal): refusals.append(refusal)
            }
        }
    }

    /// Reads a text.
    init(
        _ text: String,
        _ format: RowFormat = .csv,
        mapping: PlaceMapping,
        area: ImportArea = ImportArea()
    ) throws {
        try self.init([Array(text.utf8)], format, mapping: mapping, area: area)
    }

    /// Lines and words of the refusals: `3 no-name`.
    var words: [String] { refusals.map { "\($0.line) \($0.reason.rawValue)" } }
}

extension PlaceMapping {
    /// A mapping of options.
    init(_ options: String..., category: String? = "other", rules: [String] = []) throws {
        self.init()
        for option in options { try map(option: option) }
        defaultCategory = category
        for rule in rules { categoryRules.append(try CategoryRule(option: rule)) }
    }

    /// Columns with the names of the fields.
    static func plain() throws -> PlaceMapping {
        try PlaceMapping("name=name", "latitude=latitude", "longitude=longitude")
    }
}
