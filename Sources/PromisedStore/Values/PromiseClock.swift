internal import PromisedDomain

/// The part of a promise that determines its status at any instant, together with its meeting time: its spans, or that
/// it was cancelled (domain §4).
///
/// Promises under one clock that meet within a range of times have the same status, so that the promises of a status
/// are one range of an index for each clock. There are as many clocks as different settings of the spans.
enum PromiseClock: Hashable {
    /// The status follows from these spans.
    case running(WindowSpans)
    case cancelled

    /// The stored text as an expression over the columns of `promise`. Never changes: a migration and an index use it.
    static let sql = "iif(cancelled_at IS NULL, span_before || ' ' || span_after || ' ' || span_settle, 'cancelled')"

    /// A clock from its stored text; nil for any other text.
    init?(_ text: String) {
        if text == "cancelled" {
            self = .cancelled
            return
        }
        let spans = text.split(separator: " ", omittingEmptySubsequences: false).map { Int64($0) }
        guard spans.count == 3, let before = spans[0], let after = spans[1], let settle = spans[2] else { return nil }
        self = .running(
            WindowSpans(
                before: .milliseconds(before),
                after: .milliseconds(after),
                settle: .milliseconds(settle)
            )
        )
    }

    /// The meeting times at which a promise has a status at `now`; nil if there are none. The same rule as
    /// ``Promise/status(at:)``, solved for the meeting time.
    func meetings(with status: PromiseStatus, at now: Instant) -> Range<Instant>? {
        guard case .running(let spans) = self else {
            return status == .cancelled ? PromiseClock.earliest..<PromiseClock.latest : nil
        }
        // The first meeting times of promises that are not yet settling, not yet final, and not yet tracking.
        let instant = TimeSpan.milliseconds(1)
        let settling = now - spans.after - spans.settle + instant
        let tracking = now - spans.after + instant
        let scheduled = now + spans.before + instant
        return switch status {
        case .cancelled: nil
        case .final: PromiseClock.earliest..<settling
        case .settling: settling..<tracking
        case .tracking: tracking..<scheduled
        case .scheduled: scheduled..<PromiseClock.latest
        }
    }

    private static let earliest = Instant(milliseconds: .min)
    private static let latest = Instant(milliseconds: .max)
}
