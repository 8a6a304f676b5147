/// The time of a service thread, without its own stalls.
///
/// While the process is suspended or the thread starved, the peers' bytes stay unread in the sockets, and peers must
/// not count as silent: a gap between two ticks counts as at most `longestStep`.
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

    /// Advances to `instant`; an earlier instant changes nothing.
    package mutating func tick(at instant: ContinuousClock.Instant) {
        let step = instant - lastTick
        lastTick = instant
        elapsed += min(max(step, .zero), longestStep)
        let (seconds, attoseconds) = elapsed.components
        now = LoopInstant(milliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}

/// An instant on the clock of one service thread, in milliseconds since it started.
package struct LoopInstant: Comparable, Hashable, Sendable {
    /// Milliseconds since the thread started, without its stalls.
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The start of the thread.
    package static let start = LoopInstant(milliseconds: 0)

    /// The instant this many milliseconds later; earlier if negative.
    package func advanced(byMilliseconds span: Int64) -> LoopInstant { LoopInstant(milliseconds: milliseconds + span) }

    package static func < (left: LoopInstant, right: LoopInstant) -> Bool { left.milliseconds < right.milliseconds }
}

extension Duration {
    /// This duration in milliseconds, rounded up; 0 for negative ones.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let rounded = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return max(0, rounded)
    }
}
