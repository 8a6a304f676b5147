package import PromisedDomain

/// A rate with a burst: `burst` requests at once, then `perSecond`.
///
/// Counts in thousandths of a token and whole milliseconds, so there is no rounding error. Starts full. A clock that
/// goes back leaves the bucket unchanged.
package struct TokenBucket: Sendable, Hashable {
    /// The cost of one request, in thousandths of a token.
    private static let price: Int64 = 1_000

    private let perSecond: Int64
    private let capacity: Int64
    private var level: Int64
    private var filledAt: Instant

    /// A full bucket.
    ///
    /// - Parameters:
    ///   - perSecond: tokens added per second; at least 1.
    ///   - burst: the capacity in tokens; at least 1.
    package init(perSecond: Int, burst: Int, at now: Instant) {
        precondition(perSecond >= 1 && burst >= 1, "A bucket needs a rate and room")
        self.perSecond = Int64(perSecond)
        capacity = Int64(burst) * Self.price
        level = capacity
        filledAt = now
    }

    /// Takes a token. Returns nil if there was one, else the time until there is, rounded up to milliseconds.
    package mutating func take(at now: Instant) -> TimeSpan? {
        fill(at: now)
        guard level < Self.price else {
            level -= Self.price
            return nil
        }
        let missing = Self.price - level
        return TimeSpan(milliseconds: (missing + perSecond - 1) / perSecond)
    }

    /// Tokens of `perSecond` per second are as many thousandths per millisecond.
    private mutating func fill(at now: Instant) {
        let elapsed = (now - filledAt).milliseconds
        filledAt = now
        guard elapsed > 0 else { return }
        // After this many milliseconds it is always full; the product stays small.
        let enough = capacity / perSecond + 1
        level = min(capacity, level + min(elapsed, enough) * perSecond)
    }
}
