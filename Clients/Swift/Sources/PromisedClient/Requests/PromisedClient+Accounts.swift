public import PromisedProtocol

/// Accounts and sessions. Every call throws ``ClientError``; refusals carry the server's code (`auth.…`, `user.…`,
/// `limit.…`).
extension PromisedClient {
    /// Makes an account and signs in with it; the client keeps the session for coming back.
    ///
    /// - Parameters:
    ///   - email: unique ignoring case.
    ///   - password: 8 to 128 characters.
    ///   - nickname: 2 to 20 letters, digits or `_`; unique ignoring case.
    public func signUp(email: String, password: String, nickname: String) async throws(ClientError) -> WireSession {
        var request = WireSignUp()
        request.email = email
        request.password = password
        request.nickname = nickname
        return try await session(.signUp(request))
    }

    /// Signs in; the client keeps the session for coming back.
    public func signIn(email: String, password: String) async throws(ClientError) -> WireSession {
        var request = WireSignIn()
        request.email = email
        request.password = password
        return try await session(.signIn(request))
    }

    /// Exchanges a refresh token for a session; the client keeps it for coming back.
    ///
    /// The client does this by itself, before an access token ends; a token that was stored is better given to
    /// ``restore(_:)``.
    public func refresh(token: String) async throws(ClientError) -> WireSession {
        try await session(.refresh(WireRefresh(token: token)))
    }

    /// Names program and device, and signs in when a token is given.
    public func hello(accessToken: String? = nil) async throws(ClientError) -> WireWelcome {
        guard case .welcome(let welcome) = try await call(.hello(WireHello(settings, token: accessToken))) else {
            throw .unexpectedReply
        }
        return welcome
    }

    /// Changes the password and ends all other sessions; this one goes on with the session returned.
    public func changePassword(from old: String, to new: String) async throws(ClientError) -> WireSession {
        var request = WireChangePassword()
        request.oldPassword = old
        request.newPassword = new
        return try await session(.changePassword(request))
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
