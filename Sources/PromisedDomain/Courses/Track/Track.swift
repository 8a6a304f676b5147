/// A way: points in order, in segments. Nothing is known of the way from one segment to the next.
package struct Track: Hashable, Sendable {
    /// The points of all segments; ``TrackPoint/segment`` counts from 0 without gaps.
    package private(set) var points: [TrackPoint] = []
    /// The indices of each segment's points; none is empty.
    package private(set) var segments: [Range<Int>] = []

    /// The way through `points`. A segment ends where ``TrackPoint/segment`` changes; the segments are numbered anew.
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

    /// The smallest box that holds all points; nil without points. It crosses the meridian of 180° if that makes it
    /// narrower.
    package var box: Box? {
        guard let first = points.first?.coordinate else { return nil }
        var (plain, shifted) = (Box(first), Box(first.eastward))
        for point in points.dropFirst() {
            plain.formUnion(Box(point.coordinate))
            shifted.formUnion(Box(point.coordinate.eastward))
        }
        guard shifted.east - shifted.west < plain.east - plain.west else { return plain }
        return Box(south: plain.south, west: shifted.west, north: plain.north, east: shifted.east - 360)
    }
}

extension Coordinate {
    /// The same point with a longitude of 0…360, for boxes over the meridian of 180°.
    fileprivate var eastward: Coordinate {
        Coordinate(latitude: latitude, longitude: longitude < 0 ? longitude + 360 : longitude)
    }
}
