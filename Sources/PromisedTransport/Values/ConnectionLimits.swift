/// The limits of a connection, in bytes and messages.
package struct ConnectionLimits: Sendable, Hashable {
    /// The largest message before admission; a larger one closes the connection with 1009.
    package var messageBytesBeforeAdmission = 4 * 1024
    /// The largest message after admission; a larger one closes the connection with 1009.
    package var messageBytes = 64 * 1024
    /// The most queued bytes; beyond that the connection is closed with 4002.
    package var outboxBytes = 1024 * 1024
    /// The most queued bytes on all connections together. Beyond that, the fullest ones are closed with 4002 until an
    /// eighth of it is free. Each thread has an equal share.
    package var allOutboxBytes = Int.max
    /// The most queued messages; beyond that the connection is closed with 4002.
    package var outboxFrames = 1000
    /// The most unprocessed received bytes before reading stops.
    package var inboundBytes = 256 * 1024
    /// The most unprocessed received messages before reading stops.
    package var inboundFrames = 64

    /// The values for a server, as specified in the protocol.
    package init() {}

    /// The values for a client: messages of up to 1 MiB from the server from the start.
    package static var client: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.messageBytesBeforeAdmission = 1024 * 1024
        limits.messageBytes = 1024 * 1024
        limits.inboundBytes = 2 * 1024 * 1024
        return limits
    }
}

/// The deadlines of a connection, on the real clock, even if the program uses another clock otherwise.
///
/// Deadlines are checked every ``resolution``, so each may be that much early or late.
package struct ConnectionTiming: Sendable, Hashable {
    /// From the connection to the end of the handshake, and for a client from the call of `connect`.
    package var handshake: Duration = .seconds(10)
    /// From the handshake to `admit`; later the connection is closed with 4004; nil for none (the client's end).
    package var admission: Duration? = .seconds(10)
    /// The interval of pings, whether the peer is heard or not; nil to ping only a peer that has been silent for half
    /// of ``silence`` (decision 0029).
    package var ping: Duration? = .seconds(20)
    /// The time without a message or pong after which a peer is closed with 4003; nil for never. The library answers
    /// the peer's pings without reporting them, so they do not count.
    package var silence: Duration? = .seconds(45)
    /// From the first piece of a message to its last; later the connection is closed with 1008.
    package var message: Duration = .seconds(30)
    /// From the decision to close to the peer's close frame; later the connection is cut. The library itself waits no
    /// longer than 5 s.
    package var close: Duration = .seconds(3)
    /// For writing the reply to a plain HTTP request; later the connection is cut.
    package var response: Duration = .seconds(30)
    /// The interval at which deadlines are checked.
    package var resolution: Duration = .milliseconds(250)

    /// `true` if a ping can be sent early and counted from the next check: `false` if pings are due nearly as often as
    /// deadlines are checked, or if a peer counts as silent soon after the next ping is due.
    var letsPingsGoAlong: Bool {
        guard let ping else { return false }
        return ping >= resolution * 4 && silence.map { $0 >= ping + resolution * 3 } ?? true
    }

    /// The values for a server, as specified in the protocol.
    package init() {}

    /// The values for a client: pings only a silent server; no admission.
    package static var client: ConnectionTiming {
        var timing = ConnectionTiming()
        timing.admission = nil
        timing.ping = nil
        return timing
    }
}
