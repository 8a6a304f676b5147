package import PromisedDomain

/// Statistics of a clean way. All values are at least 0, except the altitudes.
///
/// Points, distance, moving time, ascent and descent of a way are the sums of those of its segments.
package struct CourseStatistics: Hashable, Sendable {
    /// Slower steps count as standing still, in metres per second.
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
    /// The time of the steps between counted points that were at least 0.5 m/s fast. A missing time is interpolated
    /// along the way: see ``TrackTimes``.
    package var moving = TimeSpan.zero
    /// The greatest speed, in metres per second, from a counted point to the first counted one of the segment that is
    /// 10 s or more later, and at least the mean speed while moving; nil if there is no such pair.
    package var topSpeedMps: Double?
    /// The sum of all climbs of at least 5 m, in metres; nil without altitudes.
    package var ascentMetres: Double?
    /// The sum of all descents of at least 5 m, in metres; nil without altitudes.
    package var descentMetres: Double?
    /// The lowest smoothed altitude, in metres; nil without altitudes.
    package var minAltitudeMetres: Double?
    /// The highest smoothed altitude, in metres; nil without altitudes.
    package var maxAltitudeMetres: Double?

    /// The statistics of an empty way.
    package init() {}

    /// The statistics of a clean way.
    package init(of clean: CleanTrack) { self.init(of: clean.track, dropped: clean.dropped) }

    /// The statistics of a part of a clean way.
    package init(of track: Track, dropped: Int = 0) {
        let counted = CountedPoints(of: track)
        points = track.points.count
        self.dropped = dropped
        self.counted = counted.indices.count
        distanceMetres = counted.lengthMetres
        let times = track.points.lazy.compactMap(\.time)
        if let first = times.min(), let last = times.max() { duration = last - first }
        measureSpeeds(counted, of: track)
        measureAltitudes(of: track)
    }

    private mutating func measureSpeeds(_ counted: CountedPoints, of track: Track) {
        let times = TrackTimes(of: track).seconds
        let steps = counted.indices.indices.filter { times[counted.indices[$0]] != nil }
        var (metres, seconds, later) = (0.0, 0.0, 0)
        for (place, step) in steps.enumerated().dropLast() {
            let from = counted.indices[step]
            func span(to other: Int) -> Double? {
                let to = counted.indices[steps[other]]
                guard track.points[from].segment == track.points[to].segment else { return nil }
                guard let start = times[from], let end = times[to] else { return nil }
                return end - start
            }
            if let span = span(to: place + 1) {
                let way = counted.metres[steps[place + 1]] - counted.metres[step]
                if way >= CourseStatistics.movingSpeedMps * span { (metres, seconds) = (metres + way, seconds + span) }
            }
            // Times rise within a segment, so the pair of the next point never lies before that of this one.
            later = max(later, place + 1)
            while later < steps.count, let span = span(to: later), span < CourseStatistics.topSpeedSpan.seconds {
                later += 1
            }
            guard later < steps.count, let span = span(to: later) else { continue }
            let to = track.points[counted.indices[steps[later]]].coordinate
            topSpeedMps = max(topSpeedMps ?? 0, track.points[from].coordinate.distanceMetres(to: to) / span)
        }
        moving = .seconds(seconds)
        // A way has bends, and its last seconds may be the fastest.
        if let top = topSpeedMps, seconds > 0 { topSpeedMps = max(top, metres / seconds) }
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
