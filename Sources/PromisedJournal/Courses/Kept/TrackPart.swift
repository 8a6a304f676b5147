/// The requested part of a way.
package struct TrackPart: Hashable, Sendable {
    /// Reduces the way to this many points that preserve its shape, in ``Track/limitRange``; nil for all.
    package var maxPoints: Int?
    /// The index of the part's first point among these.
    package var start: Int
    /// The most points of the part.
    package var limit: Int

    /// A part; by default the whole way.
    package init(of maxPoints: Int? = nil, from start: Int = 0, limit: Int = .max) {
        self.maxPoints = maxPoints
        self.start = start
        self.limit = limit
    }

    /// The requested part of `way`.
    package func page(of way: Track) -> TrackPage {
        let shown = maxPoints.map { way.outlined(to: $0) } ?? way
        return TrackPage(points: Array(shown.points.dropFirst(start).prefix(limit)), total: shown.points.count)
    }
}

/// A part of a way.
package struct TrackPage: Hashable, Sendable {
    /// The points of the part; their segments are those of the whole.
    package var points: [TrackPoint]
    /// The number of points of all parts together.
    package var total: Int

    package init(points: [TrackPoint], total: Int) {
        self.points = points
        self.total = total
    }
}
