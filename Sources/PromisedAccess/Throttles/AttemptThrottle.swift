/// Counts attempts per key within a sliding window, on the real clock, in bounded memory.
///
/// An attempt at time `x` counts during `x..<x + window`. A key with `limit` counted attempts is full until the
/// earliest of them leaves the window. Refused attempts are not counted, so that retries do not lengthen the wait.
///
/// Stores at most `memory` keys. Beyond that, keys without counted attempts are removed, or without such keys the one
/// whose first attempt is oldest: an attacker who fills the memory frees old keys, but needs `memory` addresses or
/// accounts for it.
///
/// The times passed to one throttle must never decrease.
package struct AttemptThrottle<Key: Hashable & Sendable>: Sendable {
    /// Attempts of a key within the window.
    package let limit: Int
    /// How long an attempt counts.
    package let window: Duration

    private let memory: Int
    /// Times of the counted attempts of each key, ascending; never empty.
    private var attempts: [Key: [ContinuousClock.Instant]] = [:]

    /// A throttle without attempts.
    ///
    /// - Parameters:
    ///   - limit: attempts of a key within the window; at least 1.
    ///   - window: how long an attempt counts; more than zero.
    ///   - memory: the most keys stored; at least 1.
    package init(limit: Int, window: Duration, memory: Int) {
        precondition(limit >= 1 && window > .zero && memory >= 1, "A throttle needs room")
        self.limit = limit
        self.window = window
        self.memory = memory
    }

    /// The number of stored keys.
    package var count: Int { attempts.count }

    /// The number of attempts of `key` that count at `now`.
    package func counted(_ key: Key, at now: ContinuousClock.Instant) -> Int {
        attempts[key]?.count { now < $0 + window } ?? 0
    }

    /// The time that `key` must wait at `now`; nil if it has an attempt left. Does not count an attempt.
    package func wait(of key: Key, at now: ContinuousClock.Instant) -> Duration? {
        let counted = (attempts[key] ?? []).filter { now < $0 + window }
        guard counted.count >= limit else { return nil }
        return counted[counted.count - limit] + window - now
    }

    /// Counts an attempt, even if the key has none left.
    package mutating func count(_ key: Key, at now: ContinuousClock.Instant) {
        if let known = attempts[key] {
            attempts[key] = known.filter { now < $0 + window } + [now]
        } else {
            makeRoom(at: now)
            attempts[key] = [now]
        }
    }

    /// Counts an attempt if the key has one left. Returns nil if it was counted, else the time that the key must wait.
    package mutating func attempt(_ key: Key, at now: ContinuousClock.Instant) -> Duration? {
        if let wait = wait(of: key, at: now) { return wait }
        count(key, at: now)
        return nil
    }

    /// Removes an attempt counted at `time`; no effect without one.
    package mutating func takeBack(_ key: Key, countedAt time: ContinuousClock.Instant) {
        guard var known = attempts[key], let index = known.lastIndex(of: time) else { return }
        known.remove(at: index)
        attempts[key] = known.isEmpty ? nil : known
    }

    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        guard attempts.count >= memory else { return }
        let window = window
        attempts = attempts.filter { entry in entry.value.last.map { now < $0 + window } ?? false }
        guard attempts.count >= memory else { return }
        // Iterating over all keys is expensive, so a part of them is removed at once, which makes it rare.
        let surplus = attempts.count - memory + max(1, memory / 16)
        let oldest = attempts.sorted { ($0.value.first ?? now) < ($1.value.first ?? now) }.prefix(surplus)
        for (key, _) in oldest { attempts[key] = nil }
    }
}

extension Duration {
    /// The wait in whole milliseconds, rounded up, as in the wire's `retryAfterMs`.
    package var retryAfterMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}

/// A limit on attempts was reached.
package struct TooManyAttempts: Error, Hashable, Sendable {
    /// The time to wait, on the real clock.
    package let retryAfter: Duration

    /// Too many attempts; retry after this time.
    package init(retryAfter: Duration) { self.retryAfter = retryAfter }
}
