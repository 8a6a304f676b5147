/// An operator's description of a kind of file: its form, its mapping and the source of its places.
///
/// Presets are YAML files; `config/places/example.yaml` documents every key.
package struct ImportPreset: Sendable {
    /// The source of the places; texts that the preset omits are empty.
    package struct Source: Hashable, Sendable {
        package var name = ""
        package var title = ""
        package var publisher = ""
        package var licence = ""
        package var url = ""
        /// An IANA name such as `Asia/Seoul`.
        package var timeZone = ""
        /// The date of the data as the publisher writes it. Presets omit it, because they outlive the file.
        package var date = ""
    }

    package var source = Source()
    /// Nil: the file's name decides.
    package var format: RowFormat?
    /// Nil: the file's bytes decide.
    package var encoding: TextEncoding?
    /// The EPSG number of the coordinates.
    package var crs = 4326
    package var mapping = PlaceMapping()

    /// An empty preset.
    package init() {}

    /// The most bytes of a preset.
    package static let longest = 65_536

    /// Reads a preset.
    ///
    /// - Throws: ``FormatError/badPreset(line:reason:)`` with the line of the unknown or invalid part.
    package init(yaml text: String) throws(FormatError) {
        guard text.utf8.count <= Self.longest else {
            throw .badPreset(line: 0, reason: "the preset has more than \(Self.longest) bytes")
        }
        let root = try PresetNode(yaml: text).members(["source", "file", "fields", "category", "category-rules"])
        try readSource(root["source"])
        try readFile(root["file"])
        try readFields(root["fields"])
        if let category = root["category"] { mapping.defaultCategory = try category.text() }
        for rule in try root["category-rules"]?.elements() ?? [] {
            mapping.categoryRules.append(try PresetRule.categoryRule(rule))
        }
    }

    private mutating func readSource(_ node: PresetNode?) throws(FormatError) {
        guard let node else { return }
        for (key, value) in try node.members(["name", "title", "publisher", "licence", "url", "time-zone"]) {
            let text = try value.text()
            switch key {
            case "name": source.name = text
            case "title": source.title = text
            case "publisher": source.publisher = text
            case "licence": source.licence = text
            case "url": source.url = text
            default: source.timeZone = text
            }
        }
    }

    private mutating func readFile(_ node: PresetNode?) throws(FormatError) {
        guard let node else { return }
        let members = try node.members(["format", "encoding", "crs", "delimiter", "header", "rows"])
        if let encoding = members["encoding"] {
            self.encoding = try encoding.read { text throws(FormatError) in try TextEncoding(named: text) }
        }
        if let crs = members["crs"] { self.crs = try crs.whole() }
        guard let format = members["format"] else {
            guard let stray = members["delimiter"] ?? members["header"] ?? members["rows"] else { return }
            throw stray.fault("delimiter, header and rows need a format")
        }
        self.format = try Self.format(format, members)
    }

    private static func format(_ node: PresetNode, _ members: [String: PresetNode]) throws(FormatError) -> RowFormat {
        let format = try node.read { text throws(FormatError) in try RowFormat(named: text) }
        switch format {
        case .csv(let delimiter, let hasHeader):
            if let stray = members["rows"] { throw stray.fault("rows is for format: json") }
            let given = try members["delimiter"]?.read { text throws(FormatError) in try RowFormat.delimiter(text) }
            return .csv(delimiter: given ?? delimiter, hasHeader: try members["header"]?.isYes() ?? hasHeader)
        case .geoJSON, .json, .jsonLines:
            if let stray = members["delimiter"] ?? members["header"] {
                throw stray.fault("delimiter and header are for format: csv")
            }
            guard let rows = members["rows"] else { return format }
            guard case .json = format else { throw rows.fault("rows is for format: json") }
            return .json(rows: try rows.text().split(separator: ".").map(String.init))
        }
    }

    private mutating func readFields(_ node: PresetNode?) throws(FormatError) {
        guard let node else { throw .badPreset(line: 0, reason: "the preset has no fields") }
        for (key, value) in try node.entries() {
            let field = try key.read { text throws(FormatError) in try PlaceField(named: text) }
            let rule = try PresetRule.fieldRule(value)
            try key.read { _ throws(FormatError) in try mapping.map(field, to: rule) }
        }
    }
}
