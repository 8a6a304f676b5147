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
