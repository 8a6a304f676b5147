public import PromisedProtocol

extension PromisedClient {
    /// Sends a request and waits for its reply.
    ///
    /// - Throws: ``ClientError``.
    public func call(_ request: WireRequest) async throws(ClientError) -> WireContent {
        // The connection may be lost again before this task goes on.
        repeat { try await waitUntilOnline() } while !isOnline
        return try await exchange(request)
    }

    /// Sends a request on one connection and waits for its reply.
    ///
    /// - Parameters:
    ///   - connection: the ``connectionCount`` of the only connection it may go out on.
    ///   - make: makes the request at the last moment before it is sent, so that a clock in it is right.
    /// - Throws: `disconnected` without sending when that connection is gone; else like ``call(_:)``.
    public func call(
        on connection: Int,
        _ make: @Sendable () -> WireRequest
    ) async throws(ClientError) -> WireContent {
        try await ask(on: connection, make)
    }

    /// Sends a request that wants no reply, if the client is connected.
    ///
    /// - Parameters:
    ///   - connection: the ``connectionCount`` of the only connection it may go out on; nil for any.
    ///   - make: makes the request at the last moment before it is sent, so that a clock in it is right.
    /// - Returns: whether it was sent.
    @discardableResult
    public func post(on connection: Int? = nil, _ make: @Sendable () -> WireRequest) -> Bool {
        guard isOnline, connection ?? connectionCount == connectionCount else { return false }
        return send(make(), id: 0)
    }

    /// Like ``call(on:_:)``; what answers a subscription is dealt with before anything that comes after it.
    func ask(
        on connection: Int,
        for subscription: Subscription? = nil,
        _ make: @Sendable () -> WireRequest
    ) async throws(ClientError) -> WireContent {
        guard isOnline, connection == connectionCount else { throw isOver ? .closed : .disconnected }
        return try await exchange(make(), for: subscription)
    }

    /// Ends the subscription on the present connection, whether there is one or not.
    func endSubscription(_ promiseID: String) {
        post {
            var request = WireUnsubscribe()
            request.promiseID = promiseID
            return .unsubscribe(request)
        }
    }
}

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
