internal import PromisedConcurrency
package import PromisedDomain
package import PromisedSettings

/// The limits on sign-ups and sign-ins, per address and per account, and on a user's expensive or lasting requests, on
/// the real clock (domain §2).
package final class AccountThrottles: Sendable {
    private let signIns: Guarded<SignInThrottle>
    private let signUps: Guarded<AddressThrottle>
    private let finds: Guarded<AttemptThrottle<UserID>>
    private let checks: Guarded<AddressThrottle>
    private let refreshes: Guarded<AttemptThrottle<SignInID>>
    private let promises: Guarded<AttemptThrottle<UserID>>
    private let explanations: Guarded<AttemptThrottle<UserID>>

    package init(_ limits: ServerSettings.Throttle) {
        signIns = Guarded(SignInThrottle(limits))
        signUps = Guarded(.signUps(limits))
        finds = Guarded(AttemptThrottle(limit: limits.find, window: .seconds(60), memory: limits.memory))
        checks = Guarded(AddressThrottle(limit: limits.find, window: .seconds(60), limits))
        refreshes = Guarded(AttemptThrottle(limit: limits.refreshes, window: .seconds(60), memory: limits.memory))
        explanations = Guarded(AttemptThrottle(limit: limits.explanations, window: .seconds(60), memory: limits.memory))
        promises = Guarded(AttemptThrottle(limit: limits.promises, window: .seconds(86_400), memory: limits.memory))
    }

    /// Counts the creation of a promise. Throws if there were too many.
    package func makePromise(by user: UserID) throws(TooManyAttempts) {
        if let wait = promises.withLock({ $0.attempt(user, at: .now) }) { throw TooManyAttempts(retryAfter: wait) }
    }

    /// Counts a page of an explanation. Throws if there were too many in the last minute.
    package func explain(to user: UserID) throws(TooManyAttempts) {
        if let wait = explanations.withLock({ $0.attempt(user, at: .now) }) { throw TooManyAttempts(retryAfter: wait) }
    }

    /// Counts a check for the existence of a nickname: a search, a request by nickname, a change of one's own. Throws
    /// if there were too many.
    package func find(by user: UserID) throws(TooManyAttempts) {
        if let wait = finds.withLock({ $0.attempt(user, at: .now) }) { throw TooManyAttempts(retryAfter: wait) }
    }

    /// Counts a check for the existence of a nickname before a sign-in. Throws if there were too many from this address.
    package func find(from address: ThrottleAddress) throws(TooManyAttempts) {
        if let wait = checks.withLock({ $0.attempt(from: address, at: .now) }) {
            throw TooManyAttempts(retryAfter: wait)
        }
    }

    /// Counts a refresh of a session. Returns `false` without counting it if there were too many in the last minute.
    package func refresh(_ session: SignInID) -> Bool { refreshes.withLock { $0.attempt(session, at: .now) } == nil }

    /// How long until a session may be refreshed again.
    package func refreshWait(of session: SignInID) -> Duration {
        refreshes.withLock { $0.wait(of: session, at: .now) } ?? .zero
    }

    /// Checks the limit without counting, for the steps before a sign-up is counted. Throws if there were too many from
    /// this address.
    package func requireSignUp(from address: ThrottleAddress) throws(TooManyAttempts) {
        if let wait = signUps.withLock({ $0.wait(of: address, at: .now) }) { throw TooManyAttempts(retryAfter: wait) }
    }

    /// Checks the limit without counting, for the steps before the account of a sign-in is known.
    package func requireSignIn(from address: ThrottleAddress) throws(TooManyAttempts) {
        if let wait = signIns.withLock({ $0.wait(of: address, at: .now) }) { throw TooManyAttempts(retryAfter: wait) }
    }

    /// Counts a sign-up. Returns the wait if there were too many from this address; otherwise nil.
    package func signUp(from address: ThrottleAddress) -> Duration? {
        signUps.withLock { $0.attempt(from: address, at: .now) }
    }

    /// Counts a sign-in as failed until its reservation is released. Throws if there were too many.
    ///
    /// - Parameter known: the digests of the caller that the account knows; empty for a stranger.
    package func reserveSignIn(
        account: String,
        from address: ThrottleAddress,
        known: [CallerDigest]
    ) throws(TooManyAttempts) -> SignInThrottle.Reservation {
        switch signIns.withLock({ $0.reserve(account: account, address: address, known: known, at: .now) }) {
        case .reserved(let reservation): return reservation
        case .refused(let retryAfter): throw TooManyAttempts(retryAfter: retryAfter)
        }
    }

    /// Releases a reservation: the sign-in succeeded, or failed for another reason than its password.
    package func giveBack(_ reservation: SignInThrottle.Reservation) { signIns.withLock { $0.giveBack(reservation) } }

    /// Counts a wrong password.
    package func fail(_ reservation: SignInThrottle.Reservation) { signIns.withLock { $0.fail(reservation, at: .now) } }

    /// Counts a half: the password was not checked because too many callers waited.
    package func halve(_ reservation: SignInThrottle.Reservation) {
        signIns.withLock { $0.halve(reservation, at: .now) }
    }

    /// The caller at an address, for the queue of password hashes.
    package func caller(at address: ThrottleAddress) -> PasswordCaller {
        PasswordCaller(address: address, failures: signIns.withLock { $0.failures(of: address, at: .now) })
    }
}
