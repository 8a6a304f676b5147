internal import PromisedConcurrency
package import PromisedDomain
package import PromisedSettings

/// How often one user may type a wrong code, on the real clock (domain §6.7).
package final class CodeThrottle: WrongCodeCounting {
    private let wrong: Guarded<AttemptThrottle<UserID>>

    /// A throttle of `limit` wrong codes in a window.
    package init(limit: Int, window: Duration, memory: Int) {
        wrong = Guarded(AttemptThrottle(limit: limit, window: window, memory: memory))
    }

    /// A throttle as the settings say.
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
