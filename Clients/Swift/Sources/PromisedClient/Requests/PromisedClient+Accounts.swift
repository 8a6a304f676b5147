public import PromisedProtocol

/// Accounts and sessions. Every call throws ``ClientError``; refusals carry the server's code (`auth.…`, `user.…`,
/// `limit.…`).
extension PromisedClient {
    /// Names program and device, and signs in when a token is given.
    public func hello(accessToken: String? = nil) async throws(ClientError) -> WireWelcome {
        guard case .welcome(let welcome) = try await call(.hello(WireHello(settings, token: accessToken))) else {
            throw .unexpectedReply
        }
        return welcome
    }

    /// Ends the session. The client forgets it, and the server closes the connection: this client is over then.
    public func signOut() async throws(ClientError) {
        try await done(.signOut(WireSignOut()))
        forgetSession()
    }

    /// Deletes the account with everything that is its owner's alone. The client is over then.
    ///
    /// - Parameter password: not asked where accounts come from outside.
    public func deleteAccount(password: String = "") async throws(ClientError) {
        var request = WireDeleteAccount()
        request.password = password
        try await done(.deleteAccount(request))
        forgetSession()
    }
}
