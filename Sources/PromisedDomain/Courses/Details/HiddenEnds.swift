/// Keeps both ends of a course from everybody but its user.
///
/// A point is hidden if it lies within a distance of an end as the crow flies, wherever on the way it comes: a way out
/// and back, or one that passes the door again, shows nothing near the door. ``WayEnds`` finds the ends.
///
/// The table `shown_way` keeps long ways as others see them: a migration must empty it when this rule changes.
package struct HiddenEnds: Hashable, Sendable {
    /// The least and the greatest distance a user may choose, in metres.
    package static let metresRange = 0...1_000
    /// The distance of a course that is shared without choosing one, in metres.
    package static let defaultMetres = 200

    private let ends: [Coordinate]
    private let metres: Double

    /// Hides what lies within `metres` of the ends of the clean way `track`; 0 hides nothing.
    package init(of track: Track, metres: Int) {
        ends = WayEnds(of: track).coordinates
            .sorted { ($0.latitude, $0.longitude) < ($1.latitude, $1.longitude) }
        // A polyline rounds; no point of it may come nearer than the distance either.
        self.metres = metres > 0 ? Double(metres) + Polyline.largestErrorMetres : 0
    }

    /// `true` if others must not see this point, or a place there.
    package func hides(_ coordinate: Coordinate) -> Bool {
        metres > 0 && ends.contains { $0.distanceMetres(to: coordinate) <= metres }
    }

    /// The way as others see it: without hidden points, times, accuracies and speeds. A hidden point ends a segment, so
    /// that no line leads past it. Empty if the course is hidden wholly.
    package func visible(_ track: Track) -> Track {
        var (seen, segment, isCut) = ([TrackPoint](), 0, false)
        var given: Int?
        for point in track.points {
            if hides(point.coordinate) {
                isCut = true
                continue
            }
            if isCut || point.segment != given { segment += 1 }
            (given, isCut) = (point.segment, false)
            seen.append(TrackPoint(point.coordinate, altitudeMetres: point.altitudeMetres, segment: segment))
        }
        return Track(seen)
    }
}
