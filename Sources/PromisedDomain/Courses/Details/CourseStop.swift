/// A part of a course in which its user stayed where they were; offered for visits.
package struct CourseStop: Hashable, Sendable {
    /// The shortest.
    static let shortest = TimeSpan.minutes(5)
    /// A stop fits into a circle of this radius, in metres.
    static let radiusMetres = 50.0
    /// The most that are offered, the longest.
    package static let limit = 50

    /// Where: a place of the directory within 200 m of the mean of the points, or that mean.
    package var place: Place
    /// The time of its first point.
    package var from: Instant
    /// The time of its last point.
    package var to: Instant

    /// A stop at a place.
    package init(place: Place, from: Instant, to: Instant) {
        self.place = place
        self.from = from
        self.to = to
    }

    /// The stops of a clean way, in order of time: parts of at least 5 min whose points fit into a circle of 50 m, each
    /// as long as possible from its first point on. A gap between two segments may be part of one. Of more than 50 the
    /// longest.
    package static func along(_ track: Track, names: some CoursePlaces) -> [CourseStop] {
        let spans = StayWindows(of: track).spans
        let longest = spans.sorted { ($1.duration, $0.from) < ($0.duration, $1.from) }.prefix(limit)
        return longest.sorted { $0.from < $1.from }.map { span in
            CourseStop(place: names.place(at: span.coordinate, hidden: nil), from: span.from, to: span.to)
        }
    }
}
