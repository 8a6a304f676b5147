/// Keeps both ends of a course from everybody but its user: the one place that decides which part of a way others see.
///
/// A point is hidden if it lies in a circle around an end, wherever on the way it comes: a way out and back, or one that
/// passes the door again, shows nothing near the door. ``WayEnds`` finds the ends. The radius is one and a half times the
/// distance that the user chose, and the middle is shifted by up to half of that distance: see ``EndShift``. So nothing
/// within the distance of an end is seen, and nothing farther than twice the distance from all ends is hidden.
///
/// The table `shown_way` keeps long ways as others see them, and rows of courses have more that follows from this rule:
/// a migration must work them out anew when it changes.
package struct HiddenEnds: Hashable, Sendable {
    /// The least and the greatest distance a user may choose, in metres.
    package static let metresRange = 0...1_000
    /// The distance of a course that is shared without choosing one, in metres.
    package static let defaultMetres = 200
    /// The radius of a circle, as a multiple of the distance.
    private static let radiusFactor = 1.5

    private let middles: [Coordinate]
    private let radiusMetres: Double

    /// Hides what lies within `metres` of the ends of the clean way `track`, and more beyond; 0 hides nothing.
    ///
    /// - Parameter secret: that of the user whose course it is.
    package init(of track: Track, metres: Int, secret: EndsSecret) {
        guard metres > 0 else {
            (middles, radiusMetres) = ([], 0)
            return
        }
        let shift = EndShift(metres: metres, secret: secret)
        middles = WayEnds(of: track).coordinates
            .sorted { ($0.latitude, $0.longitude) < ($1.latitude, $1.longitude) }
            .map(shift.middle)
        // A polyline rounds; no point of it may come nearer than the distance either.
        radiusMetres = HiddenEnds.radiusFactor * Double(metres) + Polyline.largestErrorMetres
    }

    /// `true` if others must not see this point, or a place there.
    package func hides(_ coordinate: Coordinate) -> Bool {
        middles.contains { $0.distanceMetres(to: coordinate) <= radiusMetres }
    }

    /// The way as others see it: what is left of it, without times, accuracies and speeds.
    package func visible(_ track: Track) -> Track {
        Track(
            left(of: track).points.map { point in
                TrackPoint(point.coordinate, altitudeMetres: point.altitudeMetres, segment: point.segment)
            }
        )
    }

    /// The way without hidden points. A hidden point ends a segment, so that no line leads past it. Empty if the course is
    /// hidden wholly.
    package func left(of track: Track) -> Track {
        guard !middles.isEmpty else { return track }
        var (seen, segment, isCut) = ([TrackPoint](), 0, false)
        var given: Int?
        for point in track.points {
            if hides(point.coordinate) {
                isCut = true
                continue
            }
            if isCut || point.segment != given { segment += 1 }
            (given, isCut) = (point.segment, false)
            var left = point
            left.segment = segment
            seen.append(left)
        }
        return Track(seen)
    }
}
