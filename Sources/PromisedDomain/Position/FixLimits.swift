/// How many positions a session accepts, holds and stores of a participant (docs/limits.md).
package struct FixLimits: Hashable, Sendable {
    /// Fixes a participant may report each second, on the server's clock.
    package var perSecond = 20
    /// Fixes a participant may report at once; at least as many as a report may contain.
    package var burst = 400
    /// Among a device's fixes that are closer together than this, only the first is applied.
    package var spacing = TimeSpan.milliseconds(100)
    /// The most fixes that a session holds of a device; the folded state covers the others.
    package var held = 600
    /// The time between two recalls of a device, on the server's clock: late fixes that arrive meanwhile share the next
    /// one.
    package var recallInterval = TimeSpan.seconds(10)
    /// The most fixes stored of a participant in one promise.
    package var kept = 30_000

    /// The documented limits.
    package init() {}
}

/// Drops a device's fixes that are too close to another to add information (domain §5): the first to arrive is applied,
/// whatever their order in time.
struct FixSpacing {
    private let least: TimeSpan
    private var newest: Instant?
    /// Ascending; invalid before ``isSorted``.
    private var times: [Instant] = []
    private var isSorted = false

    /// - Parameter newest: the time of the device's newest fix, nil before the first.
    init(_ least: TimeSpan, after newest: Instant?) {
        self.least = least
        self.newest = newest
    }

    /// `true` if a fix of that time is too close to another; otherwise the time is added. `known` returns the times of
    /// all fixes at hand, in any order; called at most once, for a fix that is not the newest.
    @inline(__always)
    mutating func isCrowded(_ time: Instant, by known: () -> [Instant]) -> Bool {
        if let newest, time < newest + least { return isCrowdedAmong(time, known) }
        newest = time
        if isSorted { times.append(time) }
        return false
    }

    private mutating func isCrowdedAmong(_ time: Instant, _ known: () -> [Instant]) -> Bool {
        if !isSorted {
            times = known().sorted()
            isSorted = true
        }
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        if low < times.count, times[low] - time < least { return true }
        if low > 0, time - times[low - 1] < least { return true }
        times.insert(time, at: low)
        if newest.map({ time > $0 }) ?? true { newest = time }
        return false
    }
}

/// The rate limit of a participant's fixes: a rate with a burst, in one number.
///
/// Each fix books a share of a second; the booked time may be ahead of the clock by at most the burst.
struct FixAllowance: Hashable, Sendable {
    private var bookedUntil = Instant(milliseconds: .min)

    /// Books the fixes of a report. Returns nil if there was room for all of them; otherwise books none and returns the
    /// time until there is room.
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
