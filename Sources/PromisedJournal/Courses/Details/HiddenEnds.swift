package import PromisedDomain

/// Hides both ends of a course from everyone but its owner: the only code that decides which part of a way others see.
///
/// A point is hidden if it lies in a circle around an end, at any position along the way: a way out and back, or one
/// that passes the door again, reveals nothing near the door. ``WayEnds`` finds the ends. The radius is one and a half
/// times the distance that the user chose, and the middle is shifted by up to half of that distance: see ``EndShift``.
/// So every point within the distance of an end is hidden, and every point farther than twice the distance from all
/// ends is visible.
///
/// The table `shown_way` stores the visible part of long ways, and course rows store more data derived from this rule:
/// when the rule changes, a migration must recompute both.
package struct HiddenEnds: Hashable, Sendable {
    /// The least and the greatest distance a user may choose, in metres.
    package static let metresRange = 0...1_000
    /// The distance of a course that is shared without choosing one, in metres.
    package static let defaultMetres = 200
    /// The radius of a circle, as a multiple of the distance.
    private static let radiusFactor = 1.5

    private let middles: [Coordinate]
    private let radiusMetres: Double

    /// Hides the points within `metres` of the ends of the clean way `track`, and some beyond; 0 hides none.
    ///
    /// - Parameter secret: the secret of the owner of the course.
    package init(of track: Track, metres: Int, secret: EndsSecret) {
        guard metres > 0 else {
            (middles, radiusMetres) = ([], 0)
            return
        }
        let shift = EndShift(metres: metres, secret: secret)
        middles = WayEnds(of: track).coordinates
            .sorted { ($0.latitude, $0.longitude) < ($1.latitude, $1.longitude) }
            .map(shift.middle)
        // A polyline rounds its points; these must not come nearer than the distance either.
        radiusMetres = HiddenEnds.radiusFactor * Double(metres) + Polyline.largestErrorMetres
    }

    /// `true` if others must not see this point, or a place there.
    package func hides(_ coordinate: Coordinate) -> Bool {
        middles.contains { $0.distanceMetres(to: coordinate) <= radiusMetres }
    }

    /// The way as others see it: the points that are not hidden, without times, accuracies and speeds.
    package func visible(_ track: Track) -> Track {
        Track(
            left(of: track).points.map { point in
                TrackPoint(point.coordinate, altitudeMetres: point.altitudeMetres, segment: point.segment)
            }
        )
    }

    /// The way without hidden points. A hidden point ends a segment, so no line crosses the gap. Empty if the course is
    /// entirely hidden.
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
