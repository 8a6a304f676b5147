internal import PromisedAccess
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore

/// What needs a password although somebody is signed in, and the check of passwords.
extension AccountRequests {
    /// Answers `changePassword`: this session goes on with new tokens, all others end with their connections.
    func changePassword(_ request: WireChangePassword, from caller: Caller) async throws(RequestError) -> WireContent? {
        if outside != nil { throw RequestError(.authLocalAccountsOff) }
        try RequestError.checked { () throws(TextProblem) in
            try PasswordPolicy.checkSize(request.oldPassword, field: "oldPassword")
            try PasswordPolicy.check(request.newPassword, field: "newPassword")
        }
        let endings = revocation.count
        let credential = try await requirePassword(request.oldPassword, of: caller)
        let hash = try await RequestError.hashed { () async throws(PasswordHasherError) in
            try await hasher.hash(request.newPassword, for: throttles.caller(at: caller.connection.address))
        }
        var generator = SystemRandomNumberGenerator()
        let refresh = RefreshToken(using: &generator)
        try await replace(credential, with: hash, refresh, of: caller)
        return try await session(
            of: caller.userID,
            signIn: caller.signIn,
            refresh: refresh,
            on: caller.connection,
            since: endings
        )
    }

    /// Checks the password of somebody who is signed in, throttled together with the sign-ins to the account.
    ///
    /// - Throws: `auth.invalid-credentials`, `limit.attempts`.
    @discardableResult
    func requirePassword(_ password: String, of caller: Caller) async throws(RequestError) -> Credential {
        let account = try await RequestError.stored { () async throws(StoreError) in
            try await store.account(caller.userID)
        }
        guard let email = account?.email else { throw RequestError(.authInvalidCredentials) }
        let key = EmailAddress.key(for: email)
        let reservation = try RequestError.limited { () throws(TooManyAttempts) in
            try throttles.reserveSignIn(account: key, from: caller.connection.address)
        }
        return try await reserved(reservation) { () async throws(RequestError) in
            let credential = try await RequestError.stored { () async throws(StoreError) in
                try await store.credential(of: caller.userID)
            }
            return try await check(password, against: credential, reservation).credential
        }
    }

    /// Runs a check of a password that has a place among the failures. A wrong password keeps the place, and one that was
    /// not looked at because too many waited keeps half of it. Whatever else fails gives it back, so that a busy server locks
    /// nobody out.
    func reserved<Value: Sendable>(
        _ reservation: SignInThrottle.Reservation,
        _ check: () async throws(RequestError) -> Value
    ) async throws(RequestError) -> Value {
        do throws(RequestError) {
            let value = try await check()
            throttles.giveBack(reservation)
            return value
        } catch {
            if error.code == .authInvalidCredentials {
                throttles.fail(reservation)
            } else if error.isCrowded {
                throttles.halve(reservation)
            } else {
                throttles.giveBack(reservation)
            }
            throw error
        }
    }

    /// Checks a password, in the same time whether or not there is anything to check it against.
    ///
    /// - Throws: `auth.invalid-credentials`.
    func check(
        _ password: String,
        against credential: Credential?,
        _ reservation: SignInThrottle.Reservation
    ) async throws(RequestError) -> (credential: Credential, verdict: PasswordVerdict) {
        let caller = PasswordCaller(address: reservation.address, failures: reservation.failures)
        let longest = PasswordPolicy.length.upperBound
        guard let credential, password.count <= longest else {
            try await RequestError.hashed { () async throws(PasswordHasherError) in
                try await hasher.verifyDummy(String(password.prefix(longest)), for: caller)
            }
            throw RequestError(.authInvalidCredentials)
        }
        let verdict = try await RequestError.hashed { () async throws(PasswordHasherError) in
            try await hasher.verify(password, against: credential.passwordHash, for: caller)
        }
        guard verdict != .wrong, !credential.isDisabled else { throw RequestError(.authInvalidCredentials) }
        return (credential, verdict)
    }

    /// Stores a right password under today's cost.
    func renewHash(of credential: Credential, password: String, at now: Instant) async throws(RequestError) {
        let hash = try await RequestError.hashed { () async throws(PasswordHasherError) in
            try await hasher.hash(password)
        }
        _ = try await RequestError.stored { () async throws(StoreError) in
            try await store.replacePasswordHash(of: credential.userID, credential.passwordHash, with: hash, at: now)
        }
    }

    private func replace(
        _ credential: Credential,
        with hash: String,
        _ refresh: RefreshToken,
        of caller: Caller
    ) async throws(RequestError) {
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.changePassword(
                of: caller.userID,
                from: credential.passwordHash,
                to: hash,
                keeping: caller.signIn,
                refreshHash: refresh.hash,
                refreshExpiresAt: refreshExpiry(at: caller.now),
                at: caller.now
            )
        }
        switch outcome {
        case .changed:
            revocation.close(connectionsOf: caller.userID, because: .passwordChanged) { $0 != caller.signIn }
        case .superseded: throw RequestError(.authInvalidCredentials)
        case .sessionEnded: throw RequestError(.authTokenInvalid)
        }
    }
}

extension RequestError {
    /// Runs work on the password hasher, its error as the answer to the request.
    @discardableResult
    static func hashed<Value: Sendable>(
        _ work: () async throws(PasswordHasherError) -> Value
    ) async throws(RequestError) -> Value {
        do throws(PasswordHasherError) {
            return try await work()
        } catch .overloaded {
            throw RequestError(crowded: .serverUnavailable)
        } catch .crowded {
            throw RequestError(crowded: .limitAttempts)
        } catch .cancelled {
            throw RequestError(.serverUnavailable)
        } catch {
            throw RequestError(.serverInternal)
        }
    }

    /// Too many passwords wait; some of them will have been hashed in a second.
    private init(crowded code: ErrorCode) {
        self.init(code, retryAfter: .seconds(1))
        isCrowded = true
    }
}
