/// An instant on the clock of one service thread, in milliseconds since it started.
package struct LoopInstant: Comparable, Hashable, Sendable {
    /// Milliseconds since the thread started, its stalls left out.
    package let milliseconds: Int64

    /// The instant so many milliseconds after the start.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The instant the thread started.
    package static let start = LoopInstant(milliseconds: 0)

    /// The instant `duration` later; fractions of a millisecond count as a whole one.
    package func advanced(by duration: Duration) -> LoopInstant {
        LoopInstant(milliseconds: milliseconds + duration.wholeMilliseconds)
    }

    /// Earlier first.
    package static func < (left: LoopInstant, right: LoopInstant) -> Bool { left.milliseconds < right.milliseconds }
}

extension Duration {
    /// This duration in milliseconds, rounded up; negative ones are 0.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let rounded = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return max(0, rounded)
    }
}
