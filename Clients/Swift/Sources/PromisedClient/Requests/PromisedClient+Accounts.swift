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

/// The user's own account, and other people. Every call throws ``ClientError``.
extension PromisedClient {
    /// Reads the own account with its statistics.
    public func getMe() async throws(ClientError) -> WireMe { try await me(.getMe(WireGetMe())) }

    /// Changes the own account; what the request leaves out stays as it is.
    public func updateMe(_ request: WireUpdateMe) async throws(ClientError) -> WireMe {
        try await me(.updateMe(request))
    }

    /// Finds a user by exact nickname, in any case.
    ///
    /// - Throws: `user.not-found`, and `limit.attempts` for who tries too many.
    public func findUser(nickname: String) async throws(ClientError) -> WireUserCard {
        var request = WireFindUser()
        request.nickname = nickname
        guard case .userCard(let card) = try await call(.findUser(request)) else { throw .unexpectedReply }
        return card
    }

    /// Reads what a friend or fellow participant shows, with their statistics.
    public func getProfile(userID: String) async throws(ClientError) -> WireProfile {
        var request = WireGetProfile()
        request.userID = userID
        guard case .profile(let profile) = try await call(.getProfile(request)) else { throw .unexpectedReply }
        return profile
    }

    /// Reads what somebody's final results come to.
    public func getStatistics(userID: String) async throws(ClientError) -> WireStatistics {
        var request = WireGetStatistics()
        request.userID = userID
        guard case .statistics(let reply) = try await call(.getStatistics(request)) else { throw .unexpectedReply }
        return reply
    }

    private func me(_ request: WireRequest) async throws(ClientError) -> WireMe {
        guard case .me(let me) = try await call(request) else { throw .unexpectedReply }
        return me
    }
}
