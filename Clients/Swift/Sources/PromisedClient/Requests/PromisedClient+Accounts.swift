public import PromisedProtocol

/// Accounts and sessions. Every call throws ``ClientError``; refusals carry the server's code (`auth.…`, `user.…`,
/// `limit.…`).
extension PromisedClient {
    /// Introduces program and device, and signs in if a token is given.
    public func hello(accessToken: String? = nil) async throws(ClientError) -> WireWelcome {
        guard case .welcome(let welcome) = try await call(.hello(WireHello(settings, token: accessToken))) else {
            throw .unexpectedReply
        }
        return welcome
    }

    /// Ends the session. The client discards it, and the server closes the connection: this client has ended then.
    public func signOut() async throws(ClientError) {
        try await done(.signOut(WireSignOut()))
        forgetSession()
    }

    /// Deletes the account with all data that belongs to it alone. The client has ended then.
    ///
    /// - Parameter password: ignored by servers with external accounts.
    public func deleteAccount(password: String = "") async throws(ClientError) {
        var request = WireDeleteAccount()
        request.password = password
        try await done(.deleteAccount(request))
        forgetSession()
    }
}
