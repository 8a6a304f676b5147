internal import PromisedDomain

extension Track {
    /// The most points of the outline that lists show.
    package static let outlineLimit = 200
    /// The range of points that `getTrack` accepts.
    package static let limitRange = 2...5_000

    /// The way with at most `limit` points, those that shape it most: Visvalingam and Whyatt, "Line generalisation by
    /// repeated elimination of points" (1993), over all segments together, in O(n log n).
    ///
    /// Both ends of each segment stay. Where these alone are more than `limit` points, which takes more than `limit` /
    /// 2 segments, the shortest segments are left out as a whole until the ends of the others fit; of equally short
    /// ones the last is removed first. The bound is never exceeded.
    ///
    /// - Precondition: `limit` is at least 2.
    package func outlined(to limit: Int) -> Track {
        precondition(limit >= 2, "An outline has at least two points")
        guard points.count > limit else { return self }
        let kept = segmentsThatFit(limit)
        var total = kept.reduce(0) { $0 + $1.count }
        var queue = TriangleQueue(planarPoints, segments: kept)
        var isRemoved = [Bool](repeating: false, count: points.count)
        while total > limit, let index = queue.removeSmallest() {
            isRemoved[index] = true
            total -= 1
        }
        return Track(kept.joined().lazy.filter { !isRemoved[$0] }.map { points[$0] })
    }

    /// The segments that fit, without the shortest ones, in their order.
    private func segmentsThatFit(_ limit: Int) -> [Range<Int>] {
        var ends = segments.reduce(0) { $0 + min(2, $1.count) }
        guard ends > limit else { return segments }
        var isKept = segments.map { _ in true }
        for index in shortestFirst where ends > limit {
            isKept[index] = false
            ends -= min(2, segments[index].count)
        }
        return zip(segments, isKept).filter(\.1).map(\.0)
    }

    /// For each segment how many are left out before it.
    var removalOrder: [Int] {
        var order = segments.map { _ in 0 }
        guard segments.count > 1 else { return order }
        for (place, index) in shortestFirst.enumerated() { order[index] = place }
        return order
    }

    /// The segments in the order in which they are left out: the shortest first, of equally short ones the last.
    private var shortestFirst: [Int] {
        let lengths = segments.map(lengthMetres)
        return segments.indices.sorted { (lengths[$0], $1) < (lengths[$1], $0) }
    }

    private func lengthMetres(of segment: Range<Int>) -> Double {
        zip(points[segment], points[segment].dropFirst()).reduce(0) { metres, step in
            metres + step.0.coordinate.distanceMetres(to: step.1.coordinate)
        }
    }

    /// The points in degrees of latitude, on a plane that fits at the latitude of the first point and continues across
    /// the meridian of 180°.
    var planarPoints: [PlanarPoint] {
        guard let first = points.first?.coordinate else { return [] }
        let scale = cosine(first.latitude * .pi / 180)
        var longitude = first.longitude
        return points.map { point in
            var step = point.coordinate.longitude - longitude
            step -= (step / 360).rounded() * 360
            longitude += step
            return PlanarPoint(x: longitude * scale, y: point.coordinate.latitude)
        }
    }
}
