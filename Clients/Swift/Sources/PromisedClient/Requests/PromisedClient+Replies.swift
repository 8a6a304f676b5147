internal import PromisedProtocol

/// Every function here calls and gives the reply the protocol has for the request; it throws `unexpectedReply` when the
/// reply is of another kind, else what ``PromisedClient/call(_:)`` throws.
extension PromisedClient {
    /// Calls what is answered with `done`.
    func done(_ request: WireRequest) async throws(ClientError) {
        guard case .done = try await call(request) else { throw .unexpectedReply }
    }

    /// Calls what is answered with a promise.
    func promise(_ request: WireRequest) async throws(ClientError) -> WirePromiseReply {
        guard case .promise(let reply) = try await call(request) else { throw .unexpectedReply }
        return reply
    }

    /// Calls what is answered with a friendship.
    func friendship(_ request: WireRequest) async throws(ClientError) -> WireFriendship {
        guard case .friendship(let reply) = try await call(request) else { throw .unexpectedReply }
        return reply
    }

    /// Calls what is answered with a session.
    func session(_ request: WireRequest) async throws(ClientError) -> WireSession {
        guard case .session(let reply) = try await call(request) else { throw .unexpectedReply }
        return reply
    }

    /// Calls what is answered with a final table.
    func result(_ request: WireRequest) async throws(ClientError) -> WireResult {
        guard case .result(let reply) = try await call(request) else { throw .unexpectedReply }
        return reply
    }
}
