public import PromisedProtocol

/// Invitations. Every call throws ``ClientError``.
extension PromisedClient {
    /// Answers an invitation, until the window ends. Positions flow only from who accepted.
    public func respond(promiseID: String, accept: Bool) async throws(ClientError) -> WirePromiseReply {
        var request = WireRespond()
        request.promiseID = promiseID
        request.accept = accept
        return try await promise(.respond(request))
    }

    /// Makes the code that lets anybody signed in join; it takes the place of one made before.
    ///
    /// - Parameter lifetime: how long it is valid, positive; nil: as long as the promise.
    public func createInvite(
        promiseID: String,
        lifetime: Duration? = nil
    ) async throws(ClientError) -> WireInvite {
        var request = WireCreateInvite()
        request.promiseID = promiseID
        if let lifetime { request.expiresInMs = lifetime.inMilliseconds }
        guard case .invite(let invite) = try await call(.createInvite(request)) else { throw .unexpectedReply }
        return invite
    }

    /// Makes the code invalid; who joined by it stays.
    public func revokeInvite(promiseID: String) async throws(ClientError) {
        var request = WireRevokeInvite()
        request.promiseID = promiseID
        try await done(.revokeInvite(request))
    }

    /// Joins a promise, as accepted, by its code.
    ///
    /// - Throws: `code.invalid`; `limit.attempts` after too many wrong ones.
    public func joinByCode(_ code: String) async throws(ClientError) -> WirePromiseReply {
        var request = WireJoinByCode()
        request.code = code
        return try await promise(.joinByCode(request))
    }
}

/// Links by which people without an account watch, and codes that sign in once. Every call throws ``ClientError``.
extension PromisedClient {
    /// Makes the link of a promise of one's own; it takes the place of one made before.
    ///
    /// - Parameter lifetime: how long it is good, positive; nil, and at most: until the end of the window.
    /// - Returns: the code, which the server tells this once, and when it ends.
    public func createViewLink(
        promiseID: String,
        lifetime: Duration? = nil
    ) async throws(ClientError) -> WireViewLink {
        var request = WireCreateViewLink()
        request.promiseID = promiseID
        if let lifetime { request.expiresInMs = lifetime.inMilliseconds }
        guard case .viewLink(let link) = try await call(.createViewLink(request)) else { throw .unexpectedReply }
        return link
    }

    /// Makes the link invalid; who watches by it is cut off.
    public func revokeViewLink(promiseID: String) async throws(ClientError) {
        var request = WireRevokeViewLink()
        request.promiseID = promiseID
        try await done(.revokeViewLink(request))
    }

    /// Lets those who watch by the link of a promise see oneself, or no longer; off at first.
    public func setLinkSharing(promiseID: String, on: Bool) async throws(ClientError) {
        var request = WireSetLinkSharing()
        request.promiseID = promiseID
        request.on = on
        try await done(.setLinkSharing(request))
    }

    /// Watches a promise by a link, on a client that is signed in as nobody; what happens comes as notices. After a lost
    /// connection it is called again, once for each ``ClientNotice/connected``; the server allows nothing else.
    ///
    /// - Throws: `code.invalid` (also for a link that has ended); `limit.viewers`; `limit.attempts`.
    public func watchByLink(_ code: String) async throws(ClientError) -> WireLinkView {
        var request = WireWatchByLink()
        request.code = code
        guard case .linkView(let view) = try await call(.watchByLink(request)) else { throw .unexpectedReply }
        return view
    }

    /// Signs in by a code that is good once; the client keeps the session for coming back.
    ///
    /// - Throws: `code.invalid`, also for a code that was used; `limit.attempts`.
    public func exchangeCode(_ code: String) async throws(ClientError) -> WireSession {
        var request = WireExchangeCode()
        request.code = code
        return try await session(.exchangeCode(request))
    }
}
