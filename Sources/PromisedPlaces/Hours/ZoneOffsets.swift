package import PromisedDomain

/// The offsets from UTC that a time zone has had and will have, as a pure value.
///
/// The module cannot read zone files: an adapter outside builds this value from the system's database. After the last
/// transition the last offset stays in force, so the transitions must cover all queried instants.
package struct ZoneOffsets: Hashable, Sendable {
    /// An instant at which the offset of a zone changes.
    package struct Transition: Hashable, Sendable {
        /// The first instant with the new offset.
        package let at: Instant
        /// Seconds that local time is ahead of UTC from then on; negative west of Greenwich.
        package let offsetSeconds: Int

        package init(at: Instant, offsetSeconds: Int) {
            self.at = at
            self.offsetSeconds = offsetSeconds
        }
    }

    private let initialOffset: Int
    private let transitions: [Transition]

    /// A zone with `offsetSeconds` until the first transition.
    ///
    /// - Parameter transitions: strictly ascending by instant; empty for a zone without changes.
    package init(offsetSeconds: Int, transitions: [Transition] = []) {
        precondition(
            zip(transitions, transitions.dropFirst()).allSatisfy { $0.at < $1.at },
            "the transitions of a zone must ascend"
        )
        initialOffset = offsetSeconds
        self.transitions = transitions
    }

    /// Coordinated Universal Time.
    package static let utc = ZoneOffsets(offsetSeconds: 0)

    /// Seconds that local time is ahead of UTC at an instant. A transition takes effect at its instant.
    package func offsetSeconds(at instant: Instant) -> Int {
        offset(ofPeriod: period(at: instant))
    }

    /// The first transition after an instant, exclusive; nil after the last.
    package func nextTransition(after instant: Instant) -> Instant? {
        let period = period(at: instant)
        return period < transitions.count ? transitions[period].at : nil
    }

    /// The reading of a local clock at an instant, in milliseconds since 1970-01-01T00:00 of local time.
    package func localMilliseconds(at instant: Instant) -> Int64 {
        instant.milliseconds + Int64(offsetSeconds(at: instant)) * 1_000
    }

    /// The first instant at which a local clock shows a time or a later one.
    ///
    /// A time that occurs twice, when clocks are set back, is its first occurrence. A time that does not occur, when
    /// clocks are set forward, is the instant of the transition.
    ///
    /// - Parameter local: milliseconds since 1970-01-01T00:00 of local time.
    package func instant(ofLocalMilliseconds local: Int64) -> Instant {
        // No offset exceeds a day, so no earlier period can reach the time.
        var period = period(at: Instant(milliseconds: local) - .days(1))
        while period < transitions.count {
            let end = transitions[period].at.milliseconds + Int64(offset(ofPeriod: period)) * 1_000
            if local < end { break }
            period += 1
        }
        let instant = Instant(milliseconds: local - Int64(offset(ofPeriod: period)) * 1_000)
        return period == 0 ? instant : max(transitions[period - 1].at, instant)
    }

    /// The number of transitions up to and including an instant.
    private func period(at instant: Instant) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func offset(ofPeriod period: Int) -> Int {
        period == 0 ? initialOffset : transitions[period - 1].offsetSeconds
    }
}
