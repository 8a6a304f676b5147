/// Numbers about a clean way. All are at least 0 but the altitudes, which may be negative.
///
/// Points, distance, moving time, ascent and descent of a way are the sums of those of its segments.
package struct CourseStatistics: Hashable, Sendable {
    /// Slower steps are standing, in metres per second.
    static let movingSpeedMps = 0.5
    /// The top speed is measured over at least this time.
    static let topSpeedSpan = TimeSpan.seconds(10)

    /// The points of the clean way.
    package var points = 0
    /// The points that cleaning dropped.
    package var dropped = 0
    /// The points that count for the distance; a course has at least two.
    package var counted = 0
    /// The sum of the steps between counted points of a segment, in metres.
    package var distanceMetres = 0.0
    /// From the earliest time to the latest; zero without times.
    package var duration = TimeSpan.zero
    /// The time of the steps between counted points that were at least 0.5 m/s fast.
    package var moving = TimeSpan.zero
    /// The greatest speed, in metres per second, from a counted point to the first counted one of the segment that is
    /// 10 s or more later; nil if there is no such pair.
    package var topSpeedMps: Double?
    /// The sum of all climbs of at least 5 m, in metres; nil without altitudes.
    package var ascentMetres: Double?
    /// The sum of all descents of at least 5 m, in metres; nil without altitudes.
    package var descentMetres: Double?
    /// The lowest smoothed altitude, in metres; nil without altitudes.
    package var minAltitudeMetres: Double?
    /// The highest smoothed altitude, in metres; nil without altitudes.
    package var maxAltitudeMetres: Double?

    /// The statistics of no way at all.
    package init() {}

    /// The statistics of a clean way.
    package init(of clean: CleanTrack) {
        let track = clean.track
        let counted = CountedPoints(of: track)
        points = track.points.count
        dropped = clean.dropped
        self.counted = counted.indices.count
        distanceMetres = counted.lengthMetres
        let times = track.points.lazy.compactMap(\.time)
        if let first = times.min(), let last = times.max() { duration = last - first }
        measureSpeeds(counted, of: track.points)
        measureAltitudes(of: track)
    }

    private mutating func measureSpeeds(_ counted: CountedPoints, of points: [TrackPoint]) {
        let steps = counted.indices
        var later = 0
        for step in steps.indices.dropLast() {
            let from = points[steps[step]]
            if let span = from.span(to: points[steps[step + 1]]) {
                let metres = counted.metres[step + 1] - counted.metres[step]
                if metres >= CourseStatistics.movingSpeedMps * span.seconds { moving = moving + span }
            }
            later = max(later, step + 1)
            // Times rise within a segment, so the pair of the next point never lies before that of this one.
            while later < steps.count, from.isShortBefore(points[steps[later]]) { later += 1 }
            guard later < steps.count, let span = from.span(to: points[steps[later]]) else { continue }
            let metres = from.coordinate.distanceMetres(to: points[steps[later]].coordinate)
            topSpeedMps = max(topSpeedMps ?? 0, metres / span.seconds)
        }
    }

    private mutating func measureAltitudes(of track: Track) {
        for segment in track.segments {
            let altitudes = AltitudeProfile(of: track.points[segment]).altitudesMetres
            guard let lowest = altitudes.min(), let highest = altitudes.max() else { continue }
            let climbs = Climbs(altitudes)
            ascentMetres = (ascentMetres ?? 0) + climbs.ascentMetres
            descentMetres = (descentMetres ?? 0) + climbs.descentMetres
            minAltitudeMetres = min(minAltitudeMetres ?? lowest, lowest)
            maxAltitudeMetres = max(maxAltitudeMetres ?? highest, highest)
        }
    }
}

extension TrackPoint {
    /// The time to a later point of the same segment; nil if it is of another, or one of both has no time.
    fileprivate func span(to later: TrackPoint) -> TimeSpan? {
        guard segment == later.segment, let time, let end = later.time else { return nil }
        return end - time
    }

    /// `true` if `later` is of the same segment and not yet ``CourseStatistics/topSpeedSpan`` later, or has no time.
    fileprivate func isShortBefore(_ later: TrackPoint) -> Bool {
        guard segment == later.segment, time != nil else { return false }
        return span(to: later).map { $0 < CourseStatistics.topSpeedSpan } ?? true
    }
}
