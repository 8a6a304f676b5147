public import PromisedProtocol

extension PromisedClient {
    /// Sends a request and waits for its reply.
    ///
    /// - Throws: ``ClientError``.
    public func call(_ request: WireRequest) async throws(ClientError) -> WireContent {
        // The connection may be lost again before this task resumes.
        repeat { try await waitUntilOnline() } while !isOnline
        return try await exchange(request)
    }

    /// Sends a request on one connection and waits for its reply.
    ///
    /// - Parameters:
    ///   - connection: the ``connectionCount`` of the only connection that may carry it.
    ///   - make: makes the request at the last moment before it is sent, so that a clock reading in it is current.
    /// - Throws: `disconnected` without sending if that connection has ended; else like ``call(_:)``.
    public func call(on connection: Int, _ make: @Sendable () -> WireRequest) async throws(ClientError) -> WireContent {
        try await ask(on: connection, make)
    }

    /// Sends a request without a reply, if the client is connected.
    ///
    /// - Parameters:
    ///   - connection: the ``connectionCount`` of the only connection that may carry it; nil for any.
    ///   - make: makes the request at the last moment before it is sent, so that a clock reading in it is current.
    /// - Returns: `true` if it was sent.
    @discardableResult
    public func post(on connection: Int? = nil, _ make: @Sendable () -> WireRequest) -> Bool {
        guard isOnline, connection ?? connectionCount == connectionCount else { return false }
        return send(make(), id: 0)
    }

    /// Like ``call(on:_:)``; processes the reply to a subscription before any later frame.
    func ask(
        on connection: Int,
        for subscription: Subscription? = nil,
        _ make: @Sendable () -> WireRequest
    ) async throws(ClientError) -> WireContent {
        guard isOnline, connection == connectionCount else { throw isOver ? .closed : .disconnected }
        return try await exchange(make(), for: subscription)
    }

    /// Ends the subscription on the current connection, if there is one.
    func endSubscription(_ promiseID: String) {
        post {
            var request = WireUnsubscribe()
            request.promiseID = promiseID
            return .unsubscribe(request)
        }
    }
}
