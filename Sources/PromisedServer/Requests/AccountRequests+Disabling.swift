internal import PromisedDomain
internal import PromisedStore

/// What an operator does to an account.
extension AccountRequests {
    /// Disables an account: its sessions end with their connections, and nobody signs in to it.
    ///
    /// - Returns: whether it was enabled until now.
    func disable(_ userID: UserID, at now: Instant) async throws(RequestError) -> Bool {
        let isNew = try await RequestError.stored { () async throws(StoreError) in
            try await store.disable(userID, at: now)
        }
        revocation.close(connectionsOf: userID, because: .accountDisabled)
        return isNew
    }
}
