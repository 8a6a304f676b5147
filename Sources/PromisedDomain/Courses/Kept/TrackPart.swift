/// The part of a way that a request asks for.
package struct TrackPart: Hashable, Sendable {
    /// Of the way only this many points that keep its shape, of ``Track/limitRange``; nil for all.
    package var maxPoints: Int?
    /// How many of these points come before.
    package var start: Int
    /// The most points of the part.
    package var limit: Int

    /// A part; by default the whole way.
    package init(of maxPoints: Int? = nil, from start: Int = 0, limit: Int = .max) {
        self.maxPoints = maxPoints
        self.start = start
        self.limit = limit
    }

    /// The part of a way.
    package func page(of way: Track) -> TrackPage {
        let shown = maxPoints.map { way.outlined(to: $0) } ?? way
        return TrackPage(points: Array(shown.points.dropFirst(start).prefix(limit)), total: shown.points.count)
    }
}

/// A part of a way.
package struct TrackPage: Hashable, Sendable {
    /// The points of the part; their segments are those of the whole.
    package var points: [TrackPoint]
    /// How many points there are with those of all other parts.
    package var total: Int

    /// A part with all its fields.
    package init(points: [TrackPoint], total: Int) {
        self.points = points
        self.total = total
    }
}
