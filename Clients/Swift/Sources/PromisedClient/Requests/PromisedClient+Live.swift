public import PromisedProtocol

/// What flows while a promise's window is open. Every call throws ``ClientError``.
///
/// Apps use ``follow(_:from:)`` and ``PositionReporter``; the bare requests are here for tools.
extension PromisedClient {
    /// Subscribes to a promise's events on this connection alone; they come as notices.
    public func subscribe(promiseID: String) async throws(ClientError) -> WireSubscribed {
        var request = WireSubscribe()
        request.promiseID = promiseID
        guard case .subscribed(let reply) = try await call(.subscribe(request)) else { throw .unexpectedReply }
        subscribed(promiseID, nextReportMs: reply.nextReportMs)
        return reply
    }

    /// Ends a subscription made with ``subscribe(promiseID:)``.
    public func unsubscribe(promiseID: String) async throws(ClientError) {
        var request = WireUnsubscribe()
        request.promiseID = promiseID
        try await done(.unsubscribe(request))
    }

    /// Reports positions and waits for what became of them.
    public func report(_ request: WireReport) async throws(ClientError) -> WireReported {
        guard case .reported(let reply) = try await call(.report(request)) else { throw .unexpectedReply }
        return reply
    }

    /// Exchanges clocks.
    public func syncClock(_ request: WireSyncClock = WireSyncClock()) async throws(ClientError) -> WireClock {
        guard case .clock(let reply) = try await call(.syncClock(request)) else { throw .unexpectedReply }
        return reply
    }

    /// Shows or hides the own position in a promise. A reporter stops, or goes on, with that.
    public func setSharing(promiseID: String, on: Bool) async throws(ClientError) {
        var request = WireSetSharing()
        request.promiseID = promiseID
        request.on = on
        try await done(.setSharing(request))
        sharing(promiseID, on: on)
    }

    /// Shows a word or a picture beside the own name.
    ///
    /// - Parameters:
    ///   - text: at most 80 characters; empty removes it, nil leaves it.
    ///   - emoji: one grapheme; empty removes it, nil leaves it.
    public func setStatus(promiseID: String, text: String? = nil, emoji: String? = nil) async throws(ClientError) {
        var request = WireSetStatus()
        request.promiseID = promiseID
        if let text { request.text = text }
        if let emoji { request.emoji = emoji }
        try await done(.setStatus(request))
    }

    /// Tells why positions stay away, so that the others see the reason.
    ///
    /// - Parameters:
    ///   - cause: what is wrong; `none` when it is over.
    ///   - promiseID: nil: all of the user's that are tracking.
    ///   - batteryPercent: 0 to 100.
    public func reportTrouble(
        _ cause: WirePresenceCause.Value,
        promiseID: String? = nil,
        batteryPercent: Double? = nil
    ) async throws(ClientError) {
        var request = WireReportTrouble()
        request.cause = cause
        if let promiseID { request.promiseID = promiseID }
        if let batteryPercent { request.batteryPercent = batteryPercent }
        try await done(.reportTrouble(request))
    }

    /// Reminds a participant who has not arrived.
    ///
    /// - Throws: `nudge.too-often` within a minute of the last one to them.
    public func nudge(promiseID: String, userID: String) async throws(ClientError) {
        var request = WireNudge()
        request.promiseID = promiseID
        request.userID = userID
        try await done(.nudge(request))
    }
}
