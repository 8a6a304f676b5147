package import PromisedPlaces

/// The plan for reading the files of places of one import, and the source of the places.
package struct PlaceFilePlan: Sendable {
    /// The paths of the files, at least one, in order; `-` is standard input.
    package let paths: [String]
    /// The source; its time zone may be empty.
    package let source: PlaceSource
    let format: RowFormat
    /// Nil: the file's bytes decide.
    let encoding: TextEncoding?
    let mapping: PlaceMapping
    let area: ImportArea

    /// A plan by a preset, with values possibly replaced by options. Blocks to read the first bytes of a file whose
    /// name does not determine the format. The first file determines the format of all.
    ///
    /// - Parameters:
    ///   - paths: at least one.
    ///   - bounds: nil accepts places on the whole earth.
    /// - Throws: ``FormatError/badOption(reason:)`` without a source, if neither the preset nor the extension of the
    ///   path determines a format, or if the EPSG number is unknown; ``FormatError/inFile(path:reason:)`` if neither
    ///   determines a format and that of the file is not supported.
    package init(paths: [String], preset: ImportPreset, bounds: ImportArea.Bounds?) throws(FormatError) {
        guard let path = paths.first else { throw .badOption(reason: "the import has no file: name at least one") }
        guard paths.count(where: { $0 == StandardInput.name }) < 2 else {
            throw .badOption(reason: "standard input can be read only once: use - for one file at most")
        }
        self.paths = paths
        source = try Self.source(of: preset)
        guard let format = preset.format ?? RowFormat(fileName: path) else {
            if path == StandardInput.name {
                throw .badOption(
                    reason: """
                        standard input has no name that tells its format: use a preset with a format, --delimiter for CSV \
                        or --rows for JSON
                        """
                )
            }
            // Ignores an unreadable file: renaming it would not help, and the reader reports the reason.
            if let start = try? FileChunks.bytes(ofFileAt: path, most: FoundFormat.startLength),
                let found = FoundFormat(sniffing: start), found != .json, found != .geoJSON
            {
                let reason = found.sentence(insteadOf: "CSV, GeoJSON or JSON")
                throw FormatError.unsuitable(reason: reason).inFile(at: path)
            }
            throw .badOption(
                reason: """
                    the name of \(path) does not tell its format: use a file that ends in .csv, .tsv, .geojson, .json or \
                    .jsonl, or a preset with a format
                    """
            )
        }
        self.format = format
        encoding = preset.encoding
        mapping = preset.mapping
        area = ImportArea(bounds: bounds, epsg: preset.crs, projection: try Self.projection(epsg: preset.crs))
    }

    private static func source(of preset: ImportPreset) throws(FormatError) -> PlaceSource {
        let source = preset.source
        guard !source.name.isEmpty else {
            throw .badOption(reason: "the import has no source: use --source NAME, or a preset that names one")
        }
        return PlaceSource(
            name: source.name,
            title: source.title,
            publisher: source.publisher,
            licence: source.licence,
            url: source.url,
            date: source.date,
            timeZone: source.timeZone
        )
    }

    private static func projection(epsg number: Int) throws(FormatError) -> ImportArea.Projection {
        guard let system = CoordinateSystem(rawValue: number) else {
            let known = CoordinateSystem.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
            throw .badOption(reason: "the coordinate system \(number) is unknown: use one of \(known)")
        }
        return { east, north in system.coordinate(of: ProjectedPoint(x: east, y: north)) }
    }
}
