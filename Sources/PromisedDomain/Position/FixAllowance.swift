/// How many fixes a participant may still report: a rate with a burst, in one number.
///
/// Each fix books a share of a second; what is booked may lie ahead of the clock by as much as the burst takes.
struct FixAllowance: Hashable, Sendable {
    private var bookedUntil = Instant(milliseconds: .min)

    /// Books the fixes of a report.
    ///
    /// - Returns: nil when there was room for all of them, else how long until there is; then nothing is booked.
    mutating func take(_ count: Int, of limits: FixLimits, at now: Instant) -> TimeSpan? {
        let (rate, count) = (Int64(limits.perSecond), Int64(count))
        let booked = max(bookedUntil, now) + .milliseconds((count * 1_000 + rate - 1) / rate)
        let ahead = booked - now - .milliseconds(Int64(limits.burst) * 1_000 / rate)
        guard ahead > .zero else {
            bookedUntil = booked
            return nil
        }
        return ahead
    }
}
