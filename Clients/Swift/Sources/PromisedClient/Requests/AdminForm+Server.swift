public import PromisedProtocol

extension AdminForm {
    // MARK: - Promises in memory

    /// A page of the promises in the server's memory, ascending by meeting time; `limit` is 1 to 50.
    public static func listSessions(cursor: String? = nil, limit: Int32? = nil) -> Self
    where Reply == WireAdminSessions {
        var request = WireAdminListSessions()
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.listSessions(request)) { if case .sessions(let reply) = $0 { reply } else { nil } }
    }

    /// One promise in the server's memory.
    public static func showSession(of promiseID: String) -> Self where Reply == WireAdminSession {
        var request = WireAdminShowSession()
        request.promiseID = promiseID
        return Self(.showSession(request)) { if case .session(let reply) = $0 { reply } else { nil } }
    }

    // MARK: - State of the server

    /// The server's statistics; rates are of the last 10 s.
    public static func getStats() -> Self where Reply == WireAdminStats {
        Self(.getStats(WireAdminGetStats())) { if case .stats(let reply) = $0 { reply } else { nil } }
    }

    /// A page of administrators' actions, newest first.
    ///
    /// - Parameters:
    ///   - since: only actions at this instant or later; nil: all.
    ///   - cursor: from the page before; nil for the first.
    ///   - limit: the size of the page, 1 to 50; the server's choice without it.
    public static func listAudit(since: WireTimestamp? = nil, cursor: String? = nil, limit: Int32? = nil) -> Self
    where Reply == WireAdminAudit {
        var request = WireAdminListAudit()
        if let since { request.since = since }
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.listAudit(request)) { if case .audit(let reply) = $0 { reply } else { nil } }
    }

    /// The server's health.
    public static func checkHealth() -> Self where Reply == WireAdminHealth {
        Self(.checkHealth(WireAdminCheckHealth())) { if case .health(let reply) = $0 { reply } else { nil } }
    }

    /// Copies the database while it is in use.
    ///
    /// - Parameter path: a free absolute path on the server's machine.
    public static func backUp(to path: String) -> Self where Reply == WireAdminBackup {
        var request = WireAdminBackUp()
        request.path = path
        return Self(.backUp(request)) { if case .backup(let reply) = $0 { reply } else { nil } }
    }

    /// Checks the database for violations.
    public static func verify() -> Self where Reply == WireAdminVerification {
        Self(.verify(WireAdminVerify())) { if case .verification(let reply) = $0 { reply } else { nil } }
    }

    // MARK: - Administrators' tokens

    /// Creates another administrator's token.
    ///
    /// - Parameters:
    ///   - name: its holder or purpose, 1 to 64 characters.
    ///   - validMs: how long it is valid, in milliseconds; nil: until it is revoked.
    public static func createToken(name: String, validMs: Double? = nil) -> Self where Reply == WireAdminNewToken {
        var request = WireAdminCreateToken()
        request.name = name
        if let validMs { request.validMs = validMs }
        return Self(.createToken(request)) { if case .newToken(let reply) = $0 { reply } else { nil } }
    }

    /// The administrators' tokens, newest first, without their secrets.
    public static func listTokens() -> Self where Reply == WireAdminTokens {
        Self(.listTokens(WireAdminListTokens())) { if case .tokens(let reply) = $0 { reply } else { nil } }
    }

    /// Revokes a token and closes its connections.
    public static func revokeToken(_ tokenID: String) -> Self where Reply == WireAdminDone {
        var request = WireAdminRevokeToken()
        request.tokenID = tokenID
        return Self(done: .revokeToken(request))
    }
}
