internal import PromisedAccess
package import PromisedDomain
package import PromisedSettings

/// What one connection may ask: a rate with a burst, and an end when it ignores its refusals
/// (docs/protocol.md#connecting).
///
/// On the server's clock, which may be scaled.
package struct RequestBudget: Sendable {
    /// What a request is answered.
    package enum Answer: Sendable, Hashable {
        /// It is within the rate.
        case allowed
        /// `limit.rate`, with the time until a next request is allowed.
        case refused(retryAfter: TimeSpan)
        /// Refused like the last ones: close the connection with 4005.
        case exhausted
    }

    private var bucket: TokenBucket
    private let refusalLimit: Int
    private let refusalWindow: TimeSpan
    /// When requests were refused, ascending; at most `refusalLimit`, and none on most connections.
    private var refusals: [Instant] = []

    /// The budget of a new connection.
    package init(_ limits: ServerSettings.Limits, at now: Instant) {
        bucket = TokenBucket(perSecond: limits.requestRate, burst: limits.requestBurst, at: now)
        refusalLimit = limits.refusedRequests
        refusalWindow = limits.refusedWindow
    }

    /// Counts a request. The refusal that makes `refusedRequests` within `refusedWindow`, its end excluded, exhausts.
    package mutating func request(at now: Instant) -> Answer {
        guard let wait = bucket.take(at: now) else { return .allowed }
        refusals.removeAll { now >= $0 + refusalWindow }
        if refusals.count < refusalLimit { refusals.append(now) }
        return refusals.count >= refusalLimit ? .exhausted : .refused(retryAfter: wait)
    }
}
