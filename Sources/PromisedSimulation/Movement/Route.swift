package import PromisedDomain

/// A way through a ``LocalPlane``: straight pieces between points.
package struct Route: Hashable, Sendable {
    /// The points in order, at least one.
    package let points: [PlanePoint]
    /// For each point the metres from the start to it along the route; rises, begins with 0.
    private let milestones: [Double]

    /// The route through `points`, of which there is at least one.
    package init(_ points: [PlanePoint]) {
        precondition(!points.isEmpty, "a route has at least one point")
        self.points = points
        var milestones = [0.0]
        for (from, to) in zip(points, points.dropFirst()) {
            milestones.append((milestones.last ?? 0) + from.distanceMetres(to: to))
        }
        self.milestones = milestones
    }

    /// The route through `coordinates`, of which there is at least one, on `plane`.
    package init(_ coordinates: [Coordinate], on plane: LocalPlane) {
        self.init(coordinates.map(plane.point(of:)))
    }

    /// Length in metres; 0 for a single point.
    package var lengthMetres: Double { milestones.last ?? 0 }

    /// Where the route begins.
    package var start: PlanePoint { points.first ?? .origin }

    /// Where the route ends.
    package var end: PlanePoint { points.last ?? .origin }

    /// The point `metres` along the route; its ends for anything outside 0…``lengthMetres``.
    package func point(atMetres metres: Double) -> PlanePoint {
        guard metres > 0 else { return start }
        guard let next = milestones.firstIndex(where: { $0 > metres }) else { return end }
        let share = (metres - milestones[next - 1]) / (milestones[next] - milestones[next - 1])
        return points[next - 1] + (points[next] - points[next - 1]) * share
    }

    /// The piece between two distances along the route, in metres.
    package func piece(from lower: Double, to upper: Double) -> Route {
        let inner = zip(points, milestones).filter { $0.1 > lower && $0.1 < upper }.map(\.0)
        return Route([point(atMetres: lower)] + inner + [point(atMetres: upper)])
    }
}
