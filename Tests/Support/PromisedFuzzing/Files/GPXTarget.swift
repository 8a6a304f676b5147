import PromisedFormats

extension FuzzTarget {
    static let gpx = FuzzTarget(
        "gpx",
        "A file is refused, or its document is written and read again to the same, and written as GeoJSON.",
        longest: 8_192
    ) { bytes throws(Violation) in
        guard let file = try? GPXFile(bytes) else { return }
        let text = file.document.text(creator: "fuzz")
        guard let again = try? GPXFile(Array(text.utf8)) else { throw Violation("it is written as \(text)") }
        try require(again.droppedCount == 0, "\(again.droppedCount) points are written in vain")
        try require(again.document == file.document, "\(again.document) instead of \(file.document)")
        guard let json = try? file.document.geoJSON() else { throw Violation("it cannot be written as GeoJSON") }
        try require(JSONParser.value(of: Array(json.utf8)) != nil, "its GeoJSON is no JSON: \(json)")
    }
}
