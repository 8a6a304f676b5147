/// All possible outlines of a way at once: the points that occur in any of them, each with the outlines that contain
/// it.
///
/// ``Track/outlined(to:)`` removes points in an order that does not depend on the limit, so one number per point
/// decides whether it stays. If the limit is below the number of segment ends, it leaves out whole segments; then at
/// most one inner point remains, that of the segment with the largest triangle.
package struct OutlineSteps: Hashable, Sendable {
    /// A segment with points in any outline.
    package struct Segment: Hashable, Sendable {
        /// How many segments of the way are left out before this one.
        package var order: Int
        /// Twice the area of the largest triangle removed among its inner points, in square degrees of latitude; 0
        /// without inner points.
        package var peak: Double
        /// The number of its ends: 1 or 2.
        package var ends: Int
        /// The number of its steps.
        package var count: Int

        package init(order: Int, peak: Double, ends: Int, count: Int) {
            self.order = order
            self.peak = peak
            self.ends = ends
            self.count = count
        }
    }

    /// A point of an outline.
    package struct Step: Hashable, Sendable {
        package var point: TrackPoint
        /// The smallest number of inner points of the whole way with which it stays; 0 for an end of its segment.
        package var rank: Int
        /// `true` for the inner point of its segment that is removed last.
        package var isLast: Bool

        package init(point: TrackPoint, rank: Int, isLast: Bool) {
            self.point = point
            self.rank = rank
            self.isLast = isLast
        }
    }

    /// The number of ends of all segments of the way.
    package let ends: Int
    /// The segments in the order of the way.
    package let segments: [Segment]
    /// The points of the segments, in the order of the way.
    package let steps: [Step]

    /// Creates steps from stored fields.
    package init(ends: Int, segments: [Segment], steps: [Step]) {
        self.ends = ends
        self.segments = segments
        self.steps = steps
    }

    /// The steps of a way; takes O(n log n).
    package init(of track: Track) {
        let removal = Removal(of: track)
        let orders = track.removalOrder
        let ends = track.segments.reduce(0) { $0 + min(2, $1.count) }
        let inner = Track.limitRange.upperBound - ends
        var (segments, steps) = ([Segment](), [Step]())
        let kept = OutlineSteps.longest(track.segments, orders, limit: Track.limitRange.upperBound)
        for number in track.segments.indices where kept[number] {
            let range = track.segments[number]
            let before = steps.count
            for index in range {
                let (rank, isLast) = (removal.ranks[index], removal.lasts[number] == index)
                guard rank <= max(0, inner) || isLast else { continue }
                steps.append(Step(point: track.points[index], rank: rank, isLast: isLast))
            }
            segments.append(
                Segment(
                    order: orders[number],
                    peak: removal.peaks[number],
                    ends: min(2, range.count),
                    count: steps.count - before
                )
            )
        }
        self.init(ends: ends, segments: segments, steps: steps)
    }

    /// For each segment `true` if the largest outline has its ends.
    private static func longest(_ segments: [Range<Int>], _ orders: [Int], limit: Int) -> [Bool] {
        var (kept, ends) = (segments.map { _ in false }, 0)
        for number in segments.indices.sorted(by: { orders[$0] > orders[$1] }) {
            ends += min(2, segments[number].count)
            guard ends <= limit else { break }
            kept[number] = true
        }
        return kept
    }

    /// The way with at most `limit` points, as ``Track/outlined(to:)`` returns it; of several points with equal
    /// triangles it may keep another one.
    ///
    /// - Precondition: `limit` is in ``Track/limitRange``.
    package func outline(to limit: Int) -> Track {
        let choice = OutlineChoice(segments, ends: ends, limit: limit)
        var (kept, first) = ([TrackPoint](), 0)
        for (number, segment) in segments.enumerated() {
            let own = steps[first..<first + segment.count]
            kept += own.lazy.filter { choice.keeps($0.rank, isLast: $0.isLast, of: number) }.map(\.point)
            first += segment.count
        }
        return Track(kept)
    }
}

/// The order in which the inner points of a way are removed.
private struct Removal {
    /// For each point the number of inner points left just before it is removed; 0 for ends.
    private(set) var ranks: [Int]
    /// For each segment the largest area among its removed points.
    private(set) var peaks: [Double]
    /// For each segment the index of the inner point that is removed last; nil without one.
    private(set) var lasts: [Int?]

    init(of track: Track) {
        ranks = Array(repeating: 0, count: track.points.count)
        peaks = track.segments.map { _ in 0 }
        lasts = track.segments.map { _ in nil }
        var queue = TriangleQueue(track.planarPoints, segments: track.segments)
        while true {
            let (left, area) = (queue.count, queue.smallestArea)
            guard let index = queue.removeSmallest() else { return }
            let segment = track.points[index].segment
            ranks[index] = left
            peaks[segment] = max(peaks[segment], area ?? 0)
            lasts[segment] = index
        }
    }
}
