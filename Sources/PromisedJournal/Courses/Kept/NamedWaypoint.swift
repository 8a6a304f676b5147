internal import PromisedDomain

/// A way-point that a user named.
package struct NamedWaypoint: Hashable, Sendable {
    /// The way-point on the user's own way; its place has the name and the point alone.
    package var waypoint: CourseWaypoint
    /// Its distance along the part of the way that others see, in metres; nil if it is hidden from them.
    package var othersAtMetres: Double?

    package init(_ waypoint: CourseWaypoint, othersAtMetres: Double?) {
        self.waypoint = waypoint
        self.othersAtMetres = othersAtMetres
    }

    /// The way-point as others see it; nil if it is hidden from them.
    package var forOthers: CourseWaypoint? {
        othersAtMetres.map { metres in
            var waypoint = waypoint
            waypoint.atMetres = metres
            return waypoint
        }
    }

    /// Way-points in the order of the way: each at its nearest counted point, the first of equally near ones.
    ///
    /// - Parameters:
    ///   - waypoints: in any order; their distances along the way are ignored.
    ///   - track: the clean way.
    ///   - hidden: the ends that others must not see.
    package static func placed(
        _ waypoints: [CourseWaypoint],
        on track: Track,
        hidden: HiddenEnds
    ) -> [NamedWaypoint] {
        let (own, others) = (Milestones(of: track), Milestones(of: hidden.visible(track)))
        let placed = waypoints.map { given in
            let coordinate = given.place.coordinate
            let waypoint = CourseWaypoint(
                name: given.name,
                place: Place(name: given.name, coordinate: coordinate),
                kind: given.kind,
                atMetres: own.metres(nearest: coordinate) ?? 0
            )
            let isHidden = hidden.hides(coordinate)
            return NamedWaypoint(waypoint, othersAtMetres: isHidden ? nil : others.metres(nearest: coordinate))
        }
        // Stable: those of one point keep the order in which they were given.
        return placed.enumerated()
            .sorted { ($0.element.waypoint.atMetres, $0.offset) < ($1.element.waypoint.atMetres, $1.offset) }
            .map(\.element)
    }

    /// Checks the number, the names and the points. Throws `invalid` with the field.
    static func check(_ waypoints: [NamedWaypoint]) throws(Refusal) {
        guard waypoints.count <= CourseWaypoint.limit else { throw .invalid(field: "waypoints") }
        for waypoint in waypoints.map(\.waypoint) {
            guard waypoint.name.count <= CourseLimits.waypointName else { throw .invalid(field: "waypoints.name") }
            guard waypoint.place.coordinate.isValid else { throw .invalid(field: "waypoints.place") }
        }
    }
}

/// The counted points of a way, to find the nearest.
private struct Milestones {
    private let coordinates: [Coordinate]
    private let metres: [Double]

    init(of track: Track) {
        let counted = CountedPoints(of: track)
        coordinates = counted.indices.map { track.points[$0].coordinate }
        metres = counted.metres
    }

    /// How far along the way the counted point nearest to `coordinate` lies; nil for an empty way.
    func metres(nearest coordinate: Coordinate) -> Double? {
        let distances = coordinates.lazy.map { $0.distanceMetres(to: coordinate) }
        return zip(distances, metres).min { $0.0 < $1.0 }?.1
    }
}
