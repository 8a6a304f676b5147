internal import PromisedDomain

/// Positions around 0° north, 0° east, which receivers without reception and programs without a value write.
enum NullIsland {
    /// Positions within this distance of 0, 0 are suspects, in metres.
    private static let radiusMetres = 100.0
    /// A suspect is genuine if the way comes within this distance of it, in metres.
    private static let reachMetres = 10_000.0
    private static let centre = Coordinate(latitude: 0, longitude: 0)

    /// Removes the points around 0, 0 whose neighbours on the way, before and after them in any segment, lie elsewhere.
    /// Keeps all points if the way has no others.
    static func removed(from points: [TrackPoint]) -> [TrackPoint] {
        let suspects = points.map { isSuspect($0.coordinate) }
        guard suspects.contains(true), suspects.contains(false) else { return points }
        var kept: [TrackPoint] = []
        kept.reserveCapacity(points.count)
        var start = 0
        while start < points.count {
            let end = suspects[start...].firstIndex { $0 != suspects[start] } ?? points.count
            let neighbours = [start - 1, end].filter(points.indices.contains)
            let isNear = neighbours.contains { points[$0].coordinate.distanceMetres(to: centre) <= reachMetres }
            if !suspects[start] || isNear { kept += points[start..<end] }
            start = end
        }
        return kept
    }

    private static func isSuspect(_ coordinate: Coordinate) -> Bool {
        // Computing the distance of each point would cost as much as all the rest of cleaning.
        abs(coordinate.latitude) < 0.001 && abs(coordinate.longitude) < 0.001
            && coordinate.distanceMetres(to: centre) <= radiusMetres
    }
}
