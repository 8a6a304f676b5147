internal import ArgumentParser
internal import PromisedFormats

/// The files of an import, and how to convert its rows to places.
struct PlaceFileOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            The file: CSV, GeoJSON, JSON or JSON lines, by the ending of its name or by the preset; several, such as the \
            pages of a service, are one import, and - is standard input.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "A preset: a name such as markets-kr, or the path of a YAML file. Other options override it.",
            valueName: "preset"
        ),
        completion: .file(extensions: ["yaml"])
    )
    var preset: String?

    @Option(
        help: ArgumentHelp(
            """
            Map a field to a column, by name or number; A|B takes the first that is not empty, =TEXT is constant. Fields: \
            ref, name, name:LANG, latitude, longitude, address, region, category, hours, phone, website, social, fact:KEY.
            """,
            valueName: "field=column"
        )
    )
    var map: [String] = []

    @Option(help: ArgumentHelp("The path to the array of rows in a JSON document, such as a.b.", valueName: "path"))
    var rows: String?

    @Option(
        help: ArgumentHelp(
            "The encoding; default: the byte order mark, else UTF-8 if all bytes are, else CP949.",
            valueName: "name"
        )
    )
    var encoding: String?

    @Option(help: ArgumentHelp("The delimiter of CSV: one ASCII character, or tab.", valueName: "character"))
    var delimiter: String?

    @Flag(help: "The CSV has no header: its columns have numbers from 1.") var noHeader = false

    @Option(
        help: ArgumentHelp(
            "The EPSG number of the coordinates: 4326 (degrees, default), 3857, 5174, 5179, 5181, 5186 or 5187.",
            valueName: "number"
        )
    )
    var crs: Int?

    @Option(help: ArgumentHelp("The category of rows that get none otherwise.", valueName: "id"))
    var category: String?

    @Option(
        help: ArgumentHelp("Give a category to rows whose field has a word.", valueName: "field~word|word=id")
    )
    var categoryRule: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Refuse places outside of these degrees.", valueName: "south,west,north,east")
    )
    var bounds: String?

    /// The preset with its values overridden by these options.
    ///
    /// - Throws: ``FormatError``.
    func preset(from folders: PresetFolders) throws(FormatError) -> ImportPreset {
        var preset = if let name = self.preset { try folders.preset(named: name) } else { ImportPreset() }
        if let encoding { preset.encoding = try TextEncoding(named: encoding) }
        if let crs { preset.crs = crs }
        preset.format = try format(of: preset)
        for option in map { try preset.mapping.map(option: option) }
        for option in categoryRule { preset.mapping.categoryRules.append(try CategoryRule(option: option)) }
        if let category { preset.mapping.defaultCategory = category }
        return preset
    }

    /// The bounds; nil if none were specified.
    ///
    /// - Throws: ``FormatError/badOption(reason:)``.
    func area() throws(FormatError) -> ImportArea.Bounds? {
        guard let bounds else { return nil }
        return try ImportArea.Bounds(option: bounds)
    }

    private func format(of preset: ImportPreset) throws(FormatError) -> RowFormat? {
        guard delimiter != nil || noHeader || rows != nil else { return preset.format }
        // Without another indication of the format, the options determine it.
        let format = preset.format ?? RowFormat(fileName: files.first ?? "") ?? (rows == nil ? .csv : .json(rows: []))
        return try format.changed(delimiter: delimiter, hasNoHeader: noHeader, rows: rows)
    }
}
