internal import PromisedAccess
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore

/// Signing in by a code that is good once.
struct SignInCodeRequests: Sendable {
    let accounts: AccountRequests
    let codes: SignInCodes
    let attempts: CodeAttempts

    /// Answers `exchangeCode`; the connection is signed in with it. A code is used up also when the sign-in then fails.
    ///
    /// - Throws: `auth.local-accounts-off`, `auth.forbidden` (signed in already), `code.invalid`, `limit.attempts`.
    func exchange(_ request: WireExchangeCode, _ connection: Connection) async throws(RequestError) -> WireContent? {
        guard accounts.outside == nil else { throw RequestError(.authLocalAccountsOff) }
        guard connection.identity == nil else {
            throw RequestError(.authForbidden, message: "The connection is signed in already.")
        }
        let userID = try await attempts.trying(by: connection.address) { () async throws(RequestError) in
            try await user(of: SecretCode(sent: request.code))
        }
        return try await accounts.openSession(of: userID, on: connection)
    }

    private func user(of code: SecretCode) async throws(RequestError) -> UserID {
        guard let userID = codes.use(code) else { throw RequestError(.codeInvalid) }
        let account = try await RequestError.stored { () async throws(StoreError) in
            try await accounts.store.account(userID)
        }
        guard let account, account.isUsable else { throw RequestError(.codeInvalid) }
        return userID
    }
}
