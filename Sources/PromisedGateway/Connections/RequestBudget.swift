internal import PromisedAccess
package import PromisedDomain
package import PromisedSettings

/// The rate limit of one connection: a rate with a burst, and a close if the client ignores refusals
/// (docs/protocol.md#connecting).
///
/// On the server's clock, which may be scaled.
package struct RequestBudget: Sendable {
    /// The decision about a request.
    package enum Answer: Sendable, Hashable {
        /// Within the rate.
        case allowed
        /// Refused with `limit.rate`; the time until this request is allowed.
        case refused(retryAfter: TimeSpan)
        /// The same, and refused too often: close the connection with 4005.
        case exhausted(retryAfter: TimeSpan)
    }

    /// A refused request.
    private struct Refused: Sendable {
        var at: Instant
        /// The earliest time at which it may be repeated.
        var until: Instant
    }

    private var bucket: TokenBucket
    private let refusalLimit: Int
    private let refusalWindow: TimeSpan
    /// The time in which one more request is allowed.
    private let interval: TimeSpan
    /// The refused requests that have not been made up for, ascending; at most `refusalLimit`, and usually none.
    private var refusals: [Refused] = []

    /// The budget of a new connection.
    package init(_ limits: ServerSettings.Limits, at now: Instant) {
        bucket = TokenBucket(perSecond: limits.requestRate, burst: limits.requestBurst, at: now)
        refusalLimit = limits.refusedRequests
        refusalWindow = limits.refusedWindow
        interval = .milliseconds((1_000 + Int64(limits.requestRate) - 1) / Int64(limits.requestRate))
    }

    /// Counts a request. The refusal that brings the count in `refusedWindow` (excluding its end) to `refusedRequests`
    /// exhausts the budget.
    ///
    /// Each refused request gets its own retry time, one interval after the previous one. An allowed request makes up
    /// for a refused one whose retry time has passed: a client that obeys its retry times is never closed, whatever the
    /// number of its waiting requests, up to the limit.
    package mutating func request(at now: Instant) -> Answer {
        guard let wait = bucket.take(at: now) else {
            if let first = refusals.first, first.until <= now { refusals.removeFirst() }
            return .allowed
        }
        refusals.removeAll { now >= $0.at + refusalWindow }
        let until = max(now + wait, (refusals.last?.until ?? now) + interval)
        if refusals.count < refusalLimit { refusals.append(Refused(at: now, until: until)) }
        let retryAfter = until - now
        return refusals.count >= refusalLimit ? .exhausted(retryAfter: retryAfter) : .refused(retryAfter: retryAfter)
    }
}
