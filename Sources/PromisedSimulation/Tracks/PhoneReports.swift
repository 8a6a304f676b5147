package import PromisedDomain

extension [RidePoint] {
    /// A point and the instant at which a periodically reporting phone would send it.
    package struct Report: Hashable, Sendable {
        /// When it is sent.
        package var at: Instant
        /// The newest point recorded by then.
        package var point: RidePoint
    }

    /// The reports of a phone that sends every `interval`, first at `start`.
    ///
    /// Each step reports the newest point recorded by then, unless an earlier step sent it; the last step is the first
    /// one at or after the last point.
    ///
    /// - Precondition: the interval is above 0.
    /// - Returns: sorted by time; empty if there are no points.
    package func reports(every interval: TimeSpan, from start: Instant) -> [Report] {
        precondition(interval > .zero, "reports need an interval above 0")
        var reports: [Report] = []
        var at = start
        var waiting: RidePoint?
        for point in sorted(by: { $0.time < $1.time }) {
            if point.time > at {
                if let waiting { reports.append(Report(at: at, point: waiting)) }
                waiting = nil
                let steps = ((point.time - at).milliseconds + interval.milliseconds - 1) / interval.milliseconds
                at = at + TimeSpan(milliseconds: steps * interval.milliseconds)
            }
            waiting = point
        }
        if let waiting { reports.append(Report(at: at, point: waiting)) }
        return reports
    }
}
