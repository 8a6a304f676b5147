public import PromisedProtocol

// MARK: - What is held in memory

extension AdminForm where Reply == WireAdminSessions {
    /// A page of the promises in the server's memory, ascending by meeting time; `limit` is 1 to 50.
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
    /// One promise in the server's memory.
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
    /// The server's statistics; rates are of the last 10 s.
    public static func getStats() -> Self {
        Self(.getStats(WireAdminGetStats())) { reply in
            guard case .stats(let stats) = reply else { return nil }
            return stats
        }
    }
}

extension AdminForm where Reply == WireAdminAudit {
    /// A page of administrators' actions, newest first.
    ///
    /// - Parameters:
    ///   - since: only actions at this instant or later; nil: all.
    ///   - cursor: from the page before; nil for the first.
    ///   - limit: the size of the page, 1 to 50; the server's choice without it.
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
    /// The server's health.
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
    /// - Parameter path: a free absolute path on the server's machine.
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
    /// Looks for violations in the database.
    public static func verify() -> Self {
        Self(.verify(WireAdminVerify())) { reply in
            guard case .verification(let verification) = reply else { return nil }
            return verification
        }
    }
}

// MARK: - Administrators' tokens

extension AdminForm where Reply == WireAdminNewToken {
    /// Creates another administrator's token.
    ///
    /// - Parameters:
    ///   - name: its holder or purpose, 1 to 64 characters.
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
    /// Revokes a token and closes its connections.
    public static func revokeToken(_ tokenID: String) -> Self {
        var request = WireAdminRevokeToken()
        request.tokenID = tokenID
        return Self(done: .revokeToken(request))
    }
}
