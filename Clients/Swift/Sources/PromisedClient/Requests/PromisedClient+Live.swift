public import PromisedProtocol

/// Live calls for a promise whose window is open. Every call throws ``ClientError``.
///
/// Apps use ``follow(_:from:)`` and ``PositionReporter``; the bare requests are here for tools.
extension PromisedClient {
    /// Subscribes to a promise's events on this connection only; they arrive as notices.
    public func subscribe(promiseID: String) async throws(ClientError) -> WireSubscribed {
        var request = WireSubscribe()
        request.promiseID = promiseID
        guard case .subscribed(let reply) = try await call(.subscribe(request)) else { throw .unexpectedReply }
        subscribed(promiseID, nextReportMs: reply.nextReportMs)
        return reply
    }

    /// Exchanges clocks.
    public func syncClock(_ request: WireSyncClock = WireSyncClock()) async throws(ClientError) -> WireClock {
        guard case .clock(let reply) = try await call(.syncClock(request)) else { throw .unexpectedReply }
        return reply
    }

    /// Shows or hides the user's position in a promise. A reporter stops or continues accordingly.
    public func setSharing(promiseID: String, on: Bool) async throws(ClientError) {
        var request = WireSetSharing()
        request.promiseID = promiseID
        request.on = on
        try await done(.setSharing(request))
        sharing(promiseID, on: on)
    }
}
