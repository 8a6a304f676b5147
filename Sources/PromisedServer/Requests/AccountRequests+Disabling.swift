internal import PromisedAccess
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore

/// What an operator does to an account.
extension AccountRequests {
    /// Disables an account: its sessions end with their connections, and nobody signs in to it.
    ///
    /// - Parameter audit: written with it when an administrator does it.
    /// - Returns: whether it was enabled until now.
    func disable(
        _ userID: UserID,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws(RequestError) -> Bool {
        let isNew = try await RequestError.stored { () async throws(StoreError) in
            try await store.disable(userID, at: now, audit: audit)
        }
        revocation.close(connectionsOf: userID, because: .accountDisabled)
        return isNew
    }

    /// Gives an account another password: all its sessions end with their connections.
    ///
    /// - Throws: `request.invalid` for a password that nobody may have, `user.not-found`.
    func resetPassword(
        of userID: UserID,
        to password: String,
        at now: Instant,
        audit: AuditEntry
    ) async throws(RequestError) {
        do throws(TextProblem) {
            try PasswordPolicy.check(password)
        } catch {
            throw RequestError(error)
        }
        let hash = try await RequestError.hashed { () async throws(PasswordHasherError) in
            try await hasher.hash(password)
        }
        let ended = try await RequestError.stored { () async throws(StoreError) in
            try await store.resetPassword(of: userID, to: hash, at: now, audit: audit)
        }
        guard ended != nil else { throw RequestError(.userNotFound, field: "userId") }
        revocation.close(connectionsOf: userID, because: .passwordReset)
    }
}
