package import PromisedDomain
package import PromisedPlaces

/// A way: points in order, in segments. The way between two segments is unknown.
package struct Track: Hashable, Sendable {
    /// The points of all segments; ``TrackPoint/segment`` counts from 0 without gaps.
    package private(set) var points: [TrackPoint] = []
    /// The indices of each segment's points; none is empty.
    package private(set) var segments: [Range<Int>] = []

    /// The way through `points`. A segment ends where ``TrackPoint/segment`` changes; the segments are renumbered.
    package init(_ points: some Sequence<TrackPoint> = []) {
        var given: Int?
        for point in points { append(point, startsSegment: point.segment != given, given: &given) }
    }

    private mutating func append(_ point: TrackPoint, startsSegment: Bool, given: inout Int?) {
        given = point.segment
        if startsSegment { segments.append(points.count..<points.count) }
        let last = segments.count - 1
        segments[last] = segments[last].lowerBound..<(points.count + 1)
        points.append(point)
        points[points.count - 1].segment = last
    }

    /// `true` without a single point.
    package var isEmpty: Bool { points.isEmpty }

    /// The time of the earliest point; nil if none has one.
    package var startedAt: Instant? { points.lazy.compactMap(\.time).min() }

    /// The bounding box of all points; nil without points. It crosses the meridian of 180° if that makes it narrower.
    package var box: Box? {
        guard !isEmpty else { return nil }
        var (eastern, western) = (Box.nowhere, Box.nowhere)
        for point in points {
            if point.coordinate.longitude < 0 {
                western.formUnion(Box(point.coordinate))
            } else {
                eastern.formUnion(Box(point.coordinate))
            }
        }
        var box = western
        box.formUnion(eastern)
        // Across 180° from the least eastern longitude to the greatest western one, if there are both.
        let across = western.east + 360 - eastern.west
        if across > 0, across < box.east - box.west { (box.west, box.east) = (eastern.west, western.east) }
        return box
    }
}
