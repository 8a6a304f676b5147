public import PromisedProtocol

// MARK: - What is held in memory

extension AdminForm where Reply == WireAdminSessions {
    /// A page of the promises that are held in memory, ascending by meeting time; `limit` is 1 to 50.
    public static func listSessions(cursor: String? = nil, limit: Int32? = nil) -> Self {
        var request = WireAdminListSessions()
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.listSessions(request)) { reply in
            guard case .sessions(let sessions) = reply else { return nil }
            return sessions
        }
    }
}

extension AdminForm where Reply == WireAdminSession {
    /// One promise that is held in memory.
    public static func showSession(of promiseID: String) -> Self {
        var request = WireAdminShowSession()
        request.promiseID = promiseID
        return Self(.showSession(request)) { reply in
            guard case .session(let session) = reply else { return nil }
            return session
        }
    }
}

// MARK: - How the server does

extension AdminForm where Reply == WireAdminStats {
    /// What the server does; rates are of the last 10 s.
    public static func getStats() -> Self {
        Self(.getStats(WireAdminGetStats())) { reply in
            guard case .stats(let stats) = reply else { return nil }
            return stats
        }
    }
}

extension AdminForm where Reply == WireAdminAudit {
    /// A page of what administrators did, newest first.
    ///
    /// - Parameters:
    ///   - since: only what happened then or later; nil: all that is kept.
    ///   - cursor: from the page before; nil for the first.
    ///   - limit: how many at most, 1 to 50; the server's choice without it.
    public static func listAudit(since: WireTimestamp? = nil, cursor: String? = nil, limit: Int32? = nil) -> Self {
        var request = WireAdminListAudit()
        if let since { request.since = since }
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.listAudit(request)) { reply in
            guard case .audit(let audit) = reply else { return nil }
            return audit
        }
    }
}

extension AdminForm where Reply == WireAdminHealth {
    /// Whether all is well.
    public static func checkHealth() -> Self {
        Self(.checkHealth(WireAdminCheckHealth())) { reply in
            guard case .health(let health) = reply else { return nil }
            return health
        }
    }
}

extension AdminForm where Reply == WireAdminBackup {
    /// Copies the database while it is in use.
    ///
    /// - Parameter path: an absolute path on the server's machine where nothing is yet.
    public static func backUp(to path: String) -> Self {
        var request = WireAdminBackUp()
        request.path = path
        return Self(.backUp(request)) { reply in
            guard case .backup(let backup) = reply else { return nil }
            return backup
        }
    }
}

extension AdminForm where Reply == WireAdminVerification {
    /// Looks for breaches in the database.
    public static func verify() -> Self {
        Self(.verify(WireAdminVerify())) { reply in
            guard case .verification(let verification) = reply else { return nil }
            return verification
        }
    }
}

// MARK: - Administrators' tokens

extension AdminForm where Reply == WireAdminNewToken {
    /// Makes another administrator's token.
    ///
    /// - Parameters:
    ///   - name: for whom or what, 1 to 64 characters.
    ///   - validMs: how long it is valid, in milliseconds; nil: until it is revoked.
    public static func createToken(name: String, validMs: Double? = nil) -> Self {
        var request = WireAdminCreateToken()
        request.name = name
        if let validMs { request.validMs = validMs }
        return Self(.createToken(request)) { reply in
            guard case .newToken(let token) = reply else { return nil }
            return token
        }
    }
}

extension AdminForm where Reply == WireAdminTokens {
    /// The administrators' tokens, newest first, without their secrets.
    public static func listTokens() -> Self {
        Self(.listTokens(WireAdminListTokens())) { reply in
            guard case .tokens(let tokens) = reply else { return nil }
            return tokens
        }
    }
}

extension AdminForm where Reply == WireAdminDone {
    /// Makes a token invalid and closes its connections.
    public static func revokeToken(_ tokenID: String) -> Self {
        var request = WireAdminRevokeToken()
        request.tokenID = tokenID
        return Self(done: .revokeToken(request))
    }
}
