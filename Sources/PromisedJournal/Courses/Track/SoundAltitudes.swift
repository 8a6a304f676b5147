internal import PromisedDomain

/// Removes invalid altitudes from the points of a segment: numbers that programs write for "unknown", zeros of a
/// receiver that has no altitude yet, and groups that no slope connects to the rest.
enum SoundAltitudes {
    /// The range of plausible altitudes, in metres.
    private static let rangeMetres = -12_000.0...100_000.0
    /// Numbers that programs and receivers write for "unknown".
    private static let sentinels: Set<Double> = [
        -32_768, -32_767, 32_767, 32_768, 65_535, 65_536, -9_999, 9_999, -99_999, 99_999, -10_000, -1_000, -999,
    ]
    /// An altitude of exactly 0 is invalid if a neighbour's differs from it by more than the distance between them plus
    /// this, in metres.
    private static let leastHeightMetres = 30.0
    /// The largest plausible climb or descent from point to point is the sum of 100 m, twice the distance, and 20 m per
    /// second.
    private static let stepMetres = 100.0
    private static let stepSlope = 2.0
    private static let stepMetresPerSecond = 20.0

    /// Sets invalid altitudes to nil.
    static func clean(_ points: inout [TrackPoint]) {
        for index in points.indices {
            guard let altitude = points[index].altitudeMetres else { continue }
            if !rangeMetres.contains(altitude) || sentinels.contains(altitude) { points[index].altitudeMetres = nil }
        }
        removeZeros(&points)
        removeGroups(&points)
    }

    private static func removeZeros(_ points: inout [TrackPoint]) {
        let known = points.indices.filter { points[$0].altitudeMetres != nil }
        var start = 0
        while start < known.count {
            guard points[known[start]].altitudeMetres == 0 else {
                start += 1
                continue
            }
            let end = known[start...].firstIndex { points[$0].altitudeMetres != 0 } ?? known.count
            let before = start > 0 ? isHigh(points[known[start - 1]], from: points[known[start]]) : nil
            let after = end < known.count ? isHigh(points[known[end]], from: points[known[end - 1]]) : nil
            let answers = [before, after].compactMap(\.self)
            if !answers.isEmpty, !answers.contains(false) {
                for index in known[start..<end] { points[index].altitudeMetres = nil }
            }
            start = end
        }
    }

    /// `true` if a point differs in height from one at 0 m by more than their distance allows.
    private static func isHigh(_ point: TrackPoint, from zero: TrackPoint) -> Bool {
        abs(point.altitudeMetres ?? 0) > leastHeightMetres + point.coordinate.distanceMetres(to: zero.coordinate)
    }

    private static func removeGroups(_ points: inout [TrackPoint]) {
        let known = points.indices.filter { points[$0].altitudeMetres != nil }
        let all = points
        let removal = OutlierRemoval(
            count: known.count,
            isRepeat: { _, _ in false },
            joins: { isPossible(from: all[known[$0]], to: all[known[$1]]) }
        )
        for (place, isKept) in removal.keeps.enumerated() where !isKept { points[known[place]].altitudeMetres = nil }
    }

    private static func isPossible(from one: TrackPoint, to other: TrackPoint) -> Bool {
        let height = abs((one.altitudeMetres ?? 0) - (other.altitudeMetres ?? 0))
        guard height > stepMetres else { return true }
        var allowed = stepMetres + stepSlope * one.coordinate.distanceMetres(to: other.coordinate)
        if let start = one.time, let end = other.time { allowed += stepMetresPerSecond * abs((end - start).seconds) }
        return height <= allowed
    }
}
