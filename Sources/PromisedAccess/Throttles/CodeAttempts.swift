internal import PromisedConcurrency
internal import PromisedDomain
package import PromisedSettings

/// How often one address may try a wrong code without an account, on the real clock: as often as it may fail to sign in
/// (domain §2). Loopback is left out.
package final class CodeAttempts: WrongCodeCounting {
    private let wrong: Guarded<AddressThrottle>

    /// A throttle as the settings say.
    package init(_ limits: ServerSettings.Throttle) {
        wrong = Guarded(.codes(limits))
    }

    package func attempt(by address: ThrottleAddress) throws(TooManyAttempts) -> ContinuousClock.Instant {
        let now = ContinuousClock.now
        if let wait = wrong.withLock({ $0.attempt(from: address, at: now) }) { throw TooManyAttempts(retryAfter: wait) }
        return now
    }

    package func giveBack(_ address: ThrottleAddress, _ instant: ContinuousClock.Instant) {
        wrong.withLock { $0.takeBack(address, countedAt: instant) }
    }
}
