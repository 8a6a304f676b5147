public import PromisedProtocol

// The plain calls are generated from the schema (PromisedClient+Calls.generated.swift); these do more.

/// Calls with special signatures. Every call throws ``ClientError``.
extension PromisedClient {
    /// Sends a friend request.
    public func requestFriend(userID: String) async throws(ClientError) -> WireFriendship {
        var request = WireRequestFriend()
        request.userID = userID
        return try await requestFriend(request)
    }

    /// Sends a friend request by exact nickname, in any case.
    public func requestFriend(nickname: String) async throws(ClientError) -> WireFriendship {
        var request = WireRequestFriend()
        request.nickname = nickname
        return try await requestFriend(request)
    }

    private func requestFriend(_ request: WireRequestFriend) async throws(ClientError) -> WireFriendship {
        guard case .friendship(let reply) = try await call(.requestFriend(request)) else { throw .unexpectedReply }
        return reply
    }

    /// Reads a promise. `promise.not-found` also means one that is hidden from this user.
    public func getPromise(_ promiseID: String) async throws(ClientError) -> WirePromise {
        var request = WireGetPromise()
        request.promiseID = promiseID
        guard case .promise(let reply) = try await call(.getPromise(request)) else { throw .unexpectedReply }
        return reply.promise
    }

    /// Sends a request whose reply is `done`.
    func done(_ request: WireRequest) async throws(ClientError) {
        guard case .done = try await call(request) else { throw .unexpectedReply }
    }
}
