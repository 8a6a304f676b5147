extension GPXDocument {
    private struct Properties: Encodable {
        var name: String?
        var comment: String?
        var description: String?

        /// Comment and description are named as in GPX, `coordTimes` as in other programs that convert it to GeoJSON.
        private enum CodingKeys: String, CodingKey {
            case name
            case comment = "cmt"
            case description = "desc"
        }
    }

    /// The document as GeoJSON: a feature for each way-point, then one for each track, with name and description and the
    /// instants of the points in `coordTimes`.
    ///
    /// - Throws: ``FormatError/unwritable(reason:)`` for a position or an elevation that is not finite.
    package func geoJSON() throws(FormatError) -> String {
        typealias Feature = GeoJSONDocument<Properties>.Feature
        let places = waypoints.map { waypoint in
            Feature(
                segments: [[waypoint.point]],
                properties: Properties(
                    name: waypoint.name,
                    comment: waypoint.comment,
                    description: waypoint.description
                )
            )
        }
        let ways = tracks.map { track in
            Feature(
                segments: track.segments,
                properties: Properties(name: track.name, description: track.description)
            )
        }
        return try GeoJSONDocument(features: places + ways).text()
    }
}

extension GPXDocument.Waypoint {
    fileprivate var point: GPXPoint { GPXPoint(coordinate: coordinate, elevation: elevation, time: time) }
}
