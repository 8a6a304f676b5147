/// Tells the time of a service thread, in which its own stalls do not count.
///
/// When the process was suspended or the thread starved, the peers' bytes lie unread in the sockets, and none of them
/// may be called silent for it: a gap between two ticks counts as `longestStep` at most.
package struct LoopClock {
    private let longestStep: Duration
    private var lastTick: ContinuousClock.Instant
    private var elapsed: Duration = .zero
    /// The thread's time as of the last tick.
    package private(set) var now = LoopInstant.start

    /// A clock that starts at `instant`.
    package init(startingAt instant: ContinuousClock.Instant, longestStep: Duration) {
        lastTick = instant
        self.longestStep = longestStep
    }

    /// Moves on to `instant`; going back in time counts as standing still.
    package mutating func tick(at instant: ContinuousClock.Instant) {
        let step = instant - lastTick
        lastTick = instant
        elapsed += min(max(step, .zero), longestStep)
        let (seconds, attoseconds) = elapsed.components
        now = LoopInstant(milliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
