/// How often somebody is asked to report (domain §5): in every slot, or less often while they are far away.
public enum ReportingPace {
    /// Nearer than this, everybody reports in every slot; in metres.
    static let farMetres = 2_000.0
    /// With less time left than this, everybody reports in every slot.
    static let farSpan = TimeSpan.minutes(10)
    /// The time left from which each of the slower paces is asked for, longest first.
    private static let steps: [(left: TimeSpan, every: TimeSpan)] = [
        (.minutes(40), .seconds(60)), (.minutes(20), .seconds(30)), (.minutes(10), .seconds(15)),
    ]

    /// Every how many slots to report: 1 near the place or when nothing is known of the time left, up to 60 s apart.
    static func slots(
        distanceMetres: Double,
        estimate: ArrivalEstimate?,
        interval: TimeSpan,
        at now: Instant
    ) -> Int64 {
        guard distanceMetres > farMetres, let band = estimate?.band else { return 1 }
        let left = band.medianAt - now
        guard left > farSpan, let step = steps.first(where: { left > $0.left }) else { return 1 }
        return max(1, step.every.milliseconds / interval.milliseconds)
    }
}
