/// The format of a file's rows.
package enum RowFormat: Hashable, Sendable {
    /// Records of CSV.
    ///
    /// - Parameters:
    ///   - delimiter: an ASCII character other than a quote, CR and LF.
    ///   - hasHeader: `true` if the first record names the columns; otherwise they have numbers only.
    case csv(delimiter: UInt8, hasHeader: Bool)
    /// The features of a GeoJSON collection (RFC 7946).
    case geoJSON
    /// The objects of an array at a path of names.
    case json(rows: [String])
    /// One JSON object on each line.
    case jsonLines

    /// CSV with commas and a header.
    package static let csv = RowFormat.csv(delimiter: UInt8(ascii: ","), hasHeader: true)

    /// The format of a name (`csv`, `geojson`, `json`, `json-lines`), with the usual delimiter, header and place of rows.
    ///
    /// - Throws: ``FormatError/badOption(reason:)`` with the known names.
    package init(named name: String) throws(FormatError) {
        switch name {
        case "csv": self = .csv
        case "geojson": self = .geoJSON
        case "json": self = .json(rows: [])
        case "json-lines": self = .jsonLines
        default: throw .badOption(reason: "the format \(name) is unknown: use csv, geojson, json or json-lines")
        }
    }

    /// The format for the extension of a file's name; nil for any other.
    package init?(fileName: String) {
        switch fileName.lowercased().split(separator: ".").last {
        case "csv", "tsv", "txt": self = fileName.lowercased().hasSuffix(".tsv") ? .tabs : .csv
        case "geojson": self = .geoJSON
        case "json": self = .json(rows: [])
        case "jsonl", "ndjson": self = .jsonLines
        default: return nil
        }
    }

    /// The format with the options applied; nil leaves a part unchanged.
    ///
    /// - Parameters:
    ///   - delimiter: as in ``delimiter(_:)``; for CSV.
    ///   - hasNoHeader: `true` for CSV without a header.
    ///   - rows: the path of names to the array of a JSON document, joined by dots.
    /// - Throws: ``FormatError/badOption(reason:)`` for an option of another format.
    package func changed(
        delimiter: String?,
        hasNoHeader: Bool,
        rows: String?
    ) throws(FormatError) -> RowFormat {
        if case .csv(let byte, let hasHeader) = self {
            guard rows == nil else { throw .badOption(reason: "--rows is for JSON, not for CSV") }
            let given = if let delimiter { try Self.delimiter(delimiter) } else { byte }
            return .csv(delimiter: given, hasHeader: hasHeader && !hasNoHeader)
        }
        guard delimiter == nil, !hasNoHeader else {
            throw .badOption(reason: "--delimiter and --no-header are for CSV")
        }
        guard let rows else { return self }
        guard case .json = self else { throw .badOption(reason: "--rows is for JSON documents with an array of rows") }
        return .json(rows: rows.split(separator: ".").map(String.init))
    }

    private static let tabs = RowFormat.csv(delimiter: UInt8(ascii: "\t"), hasHeader: true)

    /// The delimiter of an option: one ASCII character, or `tab`.
    ///
    /// - Throws: ``FormatError/badOption(reason:)``.
    package static func delimiter(_ text: String) throws(FormatError) -> UInt8 {
        if text == "tab" || text == "\\t" { return UInt8(ascii: "\t") }
        guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80, !"\"\r\n".utf8.contains(byte) else {
            throw .badOption(
                reason: "the delimiter \(text) is invalid: use one ASCII character other than a quote, or tab"
            )
        }
        return byte
    }
}
