import Foundation
import PromisedDomain

extension GPXDocument.Track {
    /// A route follows a track up to this distance from it, in metres: planners draw on the middle of roads, and
    /// receivers err.
    private static let nearMetres = 100.0

    /// `true` if this route begins and ends at the ends of a track, and the track passes all its points in order. Takes
    /// time proportional to the points of both.
    func leadsAlong(_ track: GPXDocument.Track) -> Bool {
        guard let first = segments.first?.first, let last = segments.last?.last,
            let start = track.segments.first?.first,
            let end = track.segments.last?.last,
            first.coordinate.distanceMetres(to: start.coordinate) <= Self.nearMetres,
            last.coordinate.distanceMetres(to: end.coordinate) <= Self.nearMetres
        else { return false }
        let (points, way) = (segments.joined().map(\.coordinate), track.segments.joined().map(\.coordinate))
        var reached = 0
        for point in points {
            let passed = (reached..<way.count).first { index in
                point.distanceMetres(toStepFrom: way[index], to: way[min(index + 1, way.count - 1)]) <= Self.nearMetres
            }
            guard let passed else { return false }
            reached = passed
        }
        return true
    }
}

extension Coordinate {
    /// The distance to the nearest point of a step, in metres, on the tangent plane here.
    fileprivate func distanceMetres(toStepFrom start: Coordinate, to end: Coordinate) -> Double {
        let (from, to) = (offset(of: start), offset(of: end))
        let step = to - from
        let squared = (step * step).sum()
        let share = squared > 0 ? min(max(-(from * step).sum() / squared, 0), 1) : 0
        let nearest = from + step * share
        return (nearest * nearest).sum().squareRoot()
    }

    /// The offset in metres to the east and to the north.
    private func offset(of other: Coordinate) -> SIMD2<Double> {
        let east = (other.longitude - longitude).remainder(dividingBy: 360)
        let metresPerDegree = Coordinate.earthRadiusMetres * Double.pi / 180
        return SIMD2(east * cos(latitude * .pi / 180), other.latitude - latitude) * metresPerDegree
    }
}
