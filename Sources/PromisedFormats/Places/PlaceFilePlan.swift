package import PromisedPlaces

/// The plan for reading one file of places, and the source of its places.
package struct PlaceFilePlan: Sendable {
    /// The path of the file.
    package let path: String
    /// The source; its time zone may be empty.
    package let source: PlaceSource
    let format: RowFormat
    /// Nil: the file's bytes decide.
    let encoding: TextEncoding?
    let mapping: PlaceMapping
    let area: ImportArea

    /// A plan by a preset, with values possibly replaced by options. Blocks to read the first bytes of a file whose
    /// name does not determine the format.
    ///
    /// - Parameter bounds: nil accepts places on the whole earth.
    /// - Throws: ``FormatError/badOption(reason:)`` without a source, if neither the preset nor the extension of the
    ///   path determines a format, or if the EPSG number is unknown; ``FormatError/inFile(path:reason:)`` if neither
    ///   determines a format and that of the file is not supported.
    package init(path: String, preset: ImportPreset, bounds: ImportArea.Bounds?) throws(FormatError) {
        self.path = path
        source = try Self.source(of: preset)
        guard let format = preset.format ?? RowFormat(fileName: path) else {
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
