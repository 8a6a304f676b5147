/// How a loop stops: it closes connections in turn, then waits until all have ended or for the timeout.
///
/// ```
/// running ── begin ──► stopping ── none left, or deadline ──► ended
///    └──────────────────────── end ───────────────────────────────▲
/// ```
struct StopSequence {
    /// The next action.
    enum Step: Equatable {
        case close([ConnectionID], CloseReason)
        case end
    }

    private struct Plan {
        let reason: CloseReason
        /// Connections still to be closed, in this order.
        var waiting: ArraySlice<ConnectionID>
        let total: Int
        let began: ContinuousClock.Instant
        let spread: Duration
        /// When the remaining connections are cut.
        let deadline: ContinuousClock.Instant
    }

    private var plan: Plan?
    private(set) var hasEnded = false

    /// `true` until a stop is requested.
    var isRunning: Bool { plan == nil && !hasEnded }

    /// Begins to stop: closes these connections evenly over `spread`, and cuts the rest `timeout` after that. Returns
    /// `false`, without any change, if it has already begun.
    mutating func begin(
        closing open: [ConnectionID],
        _ reason: CloseReason,
        spread: Duration,
        timeout: Duration,
        at instant: ContinuousClock.Instant
    ) -> Bool {
        guard plan == nil else { return false }
        plan = Plan(
            reason: reason,
            waiting: open[...],
            total: open.count,
            began: instant,
            spread: spread,
            deadline: instant + spread + timeout
        )
        return true
    }

    /// The next step at `instant`, with this number of connections left; nil while the loop runs.
    mutating func advance(to instant: ContinuousClock.Instant, connections: Int) -> Step? {
        guard var plan else { return nil }
        if connections == 0 || instant >= plan.deadline { return .end }
        let share = plan.spread > .zero ? min(1, (instant - plan.began) / plan.spread) : 1
        let told = plan.total - plan.waiting.count
        let due = max(0, Int((Double(plan.total) * share).rounded(.up)) - told)
        let batch = plan.waiting.prefix(due)
        plan.waiting = plan.waiting.dropFirst(batch.count)
        self.plan = plan
        return .close(Array(batch), plan.reason)
    }

    /// Ends the loop. Returns `false` if it had already ended.
    mutating func end() -> Bool {
        defer { hasEnded = true }
        return !hasEnded
    }
}
