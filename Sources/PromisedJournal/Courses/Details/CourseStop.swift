package import PromisedDomain

/// A part of a course during which its user stayed in one place; offered for visits.
package struct CourseStop: Hashable, Sendable {
    /// The minimum duration.
    static let shortest = TimeSpan.minutes(5)
    /// A stop fits into a circle of this radius, in metres.
    static let radiusMetres = 50.0
    /// The maximum number of stops offered; the longest are chosen.
    package static let limit = 50

    /// A place of the directory within 200 m of the mean of the points, or else that mean.
    package var place: Place
    /// The time of its first point.
    package var from: Instant
    /// The time of its last point.
    package var to: Instant

    package init(place: Place, from: Instant, to: Instant) {
        self.place = place
        self.from = from
        self.to = to
    }

    /// The stops of a clean way, in order of time: parts of at least 5 min whose points fit into a circle of 50 m, each
    /// as long as possible from its first point on. A stop may span a gap between two segments. Returns the 50 longest
    /// at most.
    package static func along(_ track: Track, names: some CoursePlaces) -> [CourseStop] {
        let spans = StayWindows(of: track).spans
        let longest = spans.sorted { ($1.duration, $0.from) < ($0.duration, $1.from) }.prefix(limit)
        return longest.sorted { $0.from < $1.from }.map { span in
            CourseStop(place: names.place(at: span.coordinate, hidden: nil), from: span.from, to: span.to)
        }
    }
}
