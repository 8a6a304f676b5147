/// How fresh what others see of a participant is, counted from when the next report was due (domain §5).
public enum Freshness: String, Hashable, Sendable, Codable, CaseIterable {
    /// At most 10 s after.
    case live
    /// At most 40 s after.
    case lagging
    /// At most 5 minutes after.
    case stale
    /// Longer, or never heard of.
    case lost

    /// The freshness at `now` of somebody whose next report was due at `dueAt`.
    public init(dueAt: Instant, at now: Instant) {
        let overdue = now - dueAt
        if overdue <= .seconds(10) {
            self = .live
        } else if overdue <= .seconds(40) {
            self = .lagging
        } else {
            self = overdue <= .minutes(5) ? .stale : .lost
        }
    }
}

extension Freshness {
    /// The first instant after `now` at which somebody whose next report was due at `dueAt` is less fresh; nil once lost.
    static func nextChange(dueAt: Instant, after now: Instant) -> Instant? {
        let limits: [TimeSpan] = [.seconds(10), .seconds(40), .minutes(5)]
        return limits.lazy.map { dueAt + $0 + .milliseconds(1) }.first { $0 > now }
    }
}
