package import PromisedDomain

/// The content of a GPX file: way-points, then tracks.
package struct GPXDocument: Hashable, Sendable {
    /// A named point apart from tracks (`wpt`).
    package struct Waypoint: Hashable, Sendable {
        package var coordinate: Coordinate
        package var name: String?
        package var comment: String?
        package var description: String?
        /// Metres above sea level.
        package var elevation: Double?
        package var time: Instant?

        package init(
            coordinate: Coordinate,
            name: String? = nil,
            comment: String? = nil,
            description: String? = nil,
            elevation: Double? = nil,
            time: Instant? = nil
        ) {
            self.coordinate = coordinate
            self.name = name
            self.comment = comment
            self.description = description
            self.elevation = elevation
            self.time = time
        }
    }

    /// A track (`trk`), or a route (`rte`) as a track of one segment.
    package struct Track: Hashable, Sendable {
        package var name: String?
        package var description: String?
        /// In the order of recording; never empty in a file that was read.
        package var segments: [[GPXPoint]]

        package init(name: String? = nil, description: String? = nil, segments: [[GPXPoint]] = []) {
            self.name = name
            self.description = description
            self.segments = segments
        }
    }

    /// The title of the whole; nil if it has none.
    package var name: String?
    package var waypoints: [Waypoint]
    /// In the order of the file.
    package var tracks: [Track]

    package init(name: String? = nil, waypoints: [Waypoint] = [], tracks: [Track] = []) {
        self.name = name
        self.waypoints = waypoints
        self.tracks = tracks
    }
}
