import ArgumentParser

/// A form for tracks that other programs read.
enum ExportFormat: String, EnumerableFlag {
    case gpx
    case geojson
    case csv

    static func help(for value: ExportFormat) -> ArgumentHelp? {
        switch value {
        case .gpx: "GPX 1.1, one track for each user and device."
        case .geojson: "GeoJSON (RFC 7946), one feature for each user and device."
        case .csv: "CSV (RFC 4180), one record for each position."
        }
    }

    /// The tracks as a document of this form.
    func document(of export: TrackExport) throws(Failure) -> String {
        switch self {
        case .gpx: GPXText.text(of: export)
        case .geojson: try GeoJSONText.text(of: export)
        case .csv: CSVText.text(of: export)
        }
    }
}
