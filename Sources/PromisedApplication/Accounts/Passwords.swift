internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedSettings
internal import PromisedStore

/// Throttled checks of passwords.
struct Passwords: Sendable {
    let store: AccountStore
    let hasher: PasswordHasher
    let throttles: AccountThrottles
    let callers: KnownCallers
    let clock: any WallClock

    /// Checks the password of a signed-in user, throttled together with the sign-ins to the account. Throws
    /// `invalidCredentials`, `TooManyAttempts`.
    @discardableResult
    func require(_ password: String, of userID: UserID, from address: ThrottleAddress) async throws -> Credential {
        guard let email = try await store.account(userID)?.email else { throw ApplicationError.invalidCredentials }
        let key = EmailAddress.key(for: email)
        return try await check(password, account: key, from: SignInOrigin(address)) {
            try await store.credential(of: userID)
        }.credential
    }

    /// Checks a password in the same time whether or not there is a hash to compare. A wrong password counts as a
    /// failure, and one that was not checked because too many waited counts half. Other errors do not count, so that a
    /// busy server locks no user out. Known callers queue apart from strangers. Throws `invalidCredentials`,
    /// `TooManyAttempts`, `PasswordHasherError`.
    func check(
        _ password: String,
        account key: String,
        from origin: SignInOrigin,
        against credential: () async throws -> Credential?
    ) async throws -> (credential: Credential, verdict: PasswordVerdict) {
        let known = try await store.knownCallers(
            among: callers.digests(of: origin, for: key),
            emailKey: key,
            since: KnownCallers.horizon(at: clock.now, rate: clock.rate)
        )
        let reservation = try throttles.reserveSignIn(account: key, from: origin.address, known: known)
        do {
            let checked = try await check(password, against: try await credential(), reservation)
            throttles.giveBack(reservation)
            return checked
        } catch {
            switch error {
            case ApplicationError.invalidCredentials: throttles.fail(reservation)
            case PasswordHasherError.overloaded, PasswordHasherError.crowded: throttles.halve(reservation)
            default: throttles.giveBack(reservation)
            }
            throw error
        }
    }

    private func check(
        _ password: String,
        against credential: Credential?,
        _ reservation: SignInThrottle.Reservation
    ) async throws -> (credential: Credential, verdict: PasswordVerdict) {
        let caller = reservation.caller
        let longest = PasswordPolicy.length.upperBound
        guard let credential, password.count <= longest else {
            try await hasher.verifyDummy(String(password.prefix(longest)), for: caller)
            throw ApplicationError.invalidCredentials
        }
        let verdict = try await hasher.verify(password, against: credential.passwordHash, for: caller)
        guard verdict != .wrong, !credential.isDisabled else { throw ApplicationError.invalidCredentials }
        return (credential, verdict)
    }

    /// The digests by which the account recognises the caller after the sign-in.
    func seen(_ origin: SignInOrigin, account key: String) -> SeenCallers {
        SeenCallers(callers.digests(of: origin, for: key), limit: KnownCallers.limit)
    }

    /// Rehashes a correct password at the current cost.
    func renewHash(of credential: Credential, password: String, at now: Instant) async throws {
        let hash = try await hasher.hash(password)
        _ = try await store.replacePasswordHash(of: credential.userID, credential.passwordHash, with: hash, at: now)
    }
}
