/// How a loop stops: connections are told in turn over a while, then the loop waits until all have gone or the time is up.
///
/// ```
/// running ── begin ──► stopping ── nobody left, or deadline ──► ended
///    └──────────────────────── end ───────────────────────────────▲
/// ```
struct StopSequence {
    /// What is to be done now.
    enum Step: Equatable {
        /// Close these connections, for this reason.
        case close([ConnectionID], CloseReason)
        /// End the loop.
        case end
    }

    private struct Plan {
        let reason: CloseReason
        /// Connections that are still to be told, in this order.
        var waiting: ArraySlice<ConnectionID>
        let total: Int
        let began: ContinuousClock.Instant
        let spread: Duration
        /// When the connections that are left are cut.
        let deadline: ContinuousClock.Instant
    }

    private var plan: Plan?
    private(set) var hasEnded = false

    /// Whether nobody has asked to stop.
    var isRunning: Bool { plan == nil && !hasEnded }

    /// Begins to stop: these connections are told evenly over `spread`, and all are gone `timeout` after that.
    ///
    /// - Returns: false when it has begun before; then nothing changes.
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

    /// What is due at `instant`, with so many connections left; nil while the loop runs.
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

    /// The loop ends.
    ///
    /// - Returns: false when it has ended before.
    mutating func end() -> Bool {
        defer { hasEnded = true }
        return !hasEnded
    }
}
