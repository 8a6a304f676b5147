package import PromisedDomain

/// The recent answers of a provider, and the next instant at which the server may query it.
package struct ProviderHealth: Hashable, Sendable {
    /// The decision about querying a provider.
    package enum Standing: Hashable, Sendable {
        /// It may be queried.
        case free
        /// It failed, and may be queried again at an instant.
        case backingOff(until: Instant)
        /// It refused the key or the caller: it may not be queried before the configuration is reloaded.
        case refused
    }

    /// The shortest pause after a failure.
    package static let shortestPause = TimeSpan.seconds(30)
    /// The longest pause, unless the provider requests a longer one.
    package static let longestPause = TimeSpan.hours(1)
    /// The longest pause that a provider can request.
    package static let longestRetryAfter = TimeSpan.hours(24)

    /// The failures since the last success.
    package private(set) var failures = 0
    private var retryAt: Instant?
    private var isRefused = false

    /// The health of a provider that was never queried.
    package init() {}

    /// The decision about querying the provider at `now`.
    package func standing(at now: Instant) -> Standing {
        if isRefused { return .refused }
        guard let retryAt, retryAt > now else { return .free }
        return .backingOff(until: retryAt)
    }

    /// The provider answered.
    package mutating func noteSuccess() { self = ProviderHealth() }

    /// The provider did not accept the key or the caller.
    package mutating func noteRefusal() { isRefused = true }

    /// The provider failed. The pauses double from between 30 and 60 s to between half an hour and an hour.
    ///
    /// - Parameter retryAfter: the instant that the provider requested; used if it is later.
    package mutating func noteFailure(at now: Instant, retryAfter: Instant?, random: inout some RandomNumberGenerator) {
        failures += 1
        let doublings = min(failures, 16)
        let longest = min(Self.shortestPause.milliseconds << doublings, Self.longestPause.milliseconds)
        let pause = Int64.random(in: (longest / 2)...longest, using: &random)
        let asked = retryAfter.map { min($0, now + Self.longestRetryAfter) } ?? now
        retryAt = max(now + .milliseconds(pause), asked)
    }
}
