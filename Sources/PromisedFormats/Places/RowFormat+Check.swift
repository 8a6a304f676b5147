extension RowFormat {
    /// The display name of the format.
    var name: String {
        switch self {
        case .csv: "CSV"
        case .geoJSON: "GeoJSON"
        case .json: "JSON"
        case .jsonLines: "JSON lines"
        }
    }

    /// Checks that a file can be of this format, before its columns are resolved.
    ///
    /// - Parameters:
    ///   - start: its first bytes, at least one.
    ///   - encoding: the given encoding; nil if the bytes decide.
    /// - Throws: ``FormatError/unsuitable(reason:)`` with the format found.
    func check(_ start: [UInt8], encoding: TextEncoding?) throws(FormatError) {
        switch FoundFormat(sniffing: start) {
        case .utf16?: break
        case .utf16LittleEndian? where encoding?.unitBytes == 2, .utf16BigEndian? where encoding?.unitBytes == 2: break
        case .utf16LittleEndian?: throw Self.unmarked(.utf16LittleEndian, .utf16LittleEndian)
        case .utf16BigEndian?: throw Self.unmarked(.utf16BigEndian, .utf16BigEndian)
        case .json?, .geoJSON?: try checkJSON(isGeoJSON: FoundFormat(sniffing: start) == .geoJSON)
        // Trading programs write column names such as <DATE>.
        case .xml? where isCSV && !Self.hasDeclaration(start): break
        case let found?: throw .unsuitable(reason: found.sentence(insteadOf: name))
        case nil: try checkText(start, encoding: encoding)
        }
    }

    private static func unmarked(_ found: FoundFormat, _ encoding: TextEncoding) -> FormatError {
        .unsuitable(reason: "the file is \(found.rawValue): use --encoding \(encoding.rawValue)")
    }

    private var isCSV: Bool { if case .csv = self { true } else { false } }

    private static func hasDeclaration(_ start: [UInt8]) -> Bool {
        // Also after a byte order mark.
        let text = start.drop { $0.isJSONSpace || $0 >= 0x80 }
        return ["<?", "<!"].contains { text.starts(with: $0.utf8) }
    }

    private func checkJSON(isGeoJSON: Bool) throws(FormatError) {
        let ending = isGeoJSON ? "geojson" : "json"
        let advice = "end its name in .\(ending), or use a preset with format: \(ending)"
        let found = (isGeoJSON ? FoundFormat.geoJSON : .json).rawValue
        if isCSV || isGeoJSON && self == .json(rows: []) {
            throw .unsuitable(reason: "the file is \(found), not \(name): \(advice)")
        }
    }

    private func checkText(_ start: [UInt8], encoding: TextEncoding?) throws(FormatError) {
        guard encoding?.unitBytes != 2 else { return }
        if start.prefix(1_024).contains(0) {
            throw .unsuitable(reason: "the file is not \(name): it has NUL bytes, as no text has")
        }
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start[3...] : start[...]
        guard !isCSV, let first = text.first(where: { !$0.isJSONSpace }), ![0x5B, 0x7B, 0x1E].contains(first) else {
            return
        }
        let advice = "if it is CSV, end its name in .csv, or use a preset with format: csv"
        throw .unsuitable(reason: "the file is a text, not \(name): \(advice)")
    }
}
