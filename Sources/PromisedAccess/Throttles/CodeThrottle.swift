internal import PromisedConcurrency
package import PromisedDomain
package import PromisedSettings

/// Counts wrong codes. An attempt counts while it is in progress, so that concurrent ones cannot exceed the limit; it
/// is removed if its code was right, or if it failed for another reason.
package protocol WrongCodeCounting: Sendable {
    /// The user or address that tries.
    associatedtype Key: Sendable

    /// Counts an attempt.
    ///
    /// - Returns: its time, for ``giveBack(_:_:)``.
    /// - Throws: if there were too many.
    func attempt(by key: Key) throws(TooManyAttempts) -> ContinuousClock.Instant

    /// Removes an attempt.
    func giveBack(_ key: Key, _ instant: ContinuousClock.Instant)
}

/// The limit on wrong codes of one user, on the real clock (domain §6.7).
package final class CodeThrottle: WrongCodeCounting {
    private let wrong: Guarded<AttemptThrottle<UserID>>

    /// A throttle of `limit` wrong codes in a window.
    package init(limit: Int, window: Duration, memory: Int) {
        wrong = Guarded(AttemptThrottle(limit: limit, window: window, memory: memory))
    }

    /// A throttle with the configured limits.
    package convenience init(_ limits: ServerSettings.Throttle) {
        self.init(limit: limits.wrongCodes, window: limits.codeWindow.duration, memory: limits.memory)
    }

    package func attempt(by userID: UserID) throws(TooManyAttempts) -> ContinuousClock.Instant {
        let now = ContinuousClock.now
        if let wait = wrong.withLock({ $0.attempt(userID, at: now) }) { throw TooManyAttempts(retryAfter: wait) }
        return now
    }

    package func giveBack(_ userID: UserID, _ instant: ContinuousClock.Instant) {
        wrong.withLock { $0.takeBack(userID, countedAt: instant) }
    }
}

/// The limit on wrong codes of one address without an account, on the real clock: that of failed sign-ins (domain §2).
/// Loopback is exempt.
package final class CodeAttempts: WrongCodeCounting {
    private let wrong: Guarded<AddressThrottle>

    /// A throttle with the configured limits.
    package init(_ limits: ServerSettings.Throttle) { wrong = Guarded(.codes(limits)) }

    package func attempt(by address: ThrottleAddress) throws(TooManyAttempts) -> ContinuousClock.Instant {
        let now = ContinuousClock.now
        if let wait = wrong.withLock({ $0.attempt(from: address, at: now) }) { throw TooManyAttempts(retryAfter: wait) }
        return now
    }

    package func giveBack(_ address: ThrottleAddress, _ instant: ContinuousClock.Instant) {
        wrong.withLock { $0.takeBack(address, countedAt: instant) }
    }
}
