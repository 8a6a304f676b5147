/// How much of what a connection may hold, in bytes and messages.
public struct ConnectionLimits: Sendable, Hashable {
    /// The largest message a peer may send before it was admitted; a larger one is closed 1009.
    public var messageBytesBeforeAdmission = 4 * 1024
    /// The largest message a peer may send once admitted; a larger one is closed 1009.
    public var messageBytes = 64 * 1024
    /// How many bytes may wait to be sent; who passes that is closed 4002.
    public var outboxBytes = 1024 * 1024
    /// How many bytes may wait to be sent to all connections together. When they pass that, those for which most waits are
    /// closed 4002 until an eighth of it is free. The threads have equal shares of it.
    public var allOutboxBytes = Int.max
    /// How many messages may wait to be sent; who passes that is closed 4002.
    public var outboxFrames = 1000
    /// How many received bytes may be unprocessed before reading stops.
    public var inboundBytes = 256 * 1024
    /// How many received messages may be unprocessed before reading stops.
    public var inboundFrames = 64

    /// The values for a server, as the protocol asks for them.
    public init() {}

    /// The values for a client: messages of up to 1 MiB from the server from the start.
    public static var client: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.messageBytesBeforeAdmission = 1024 * 1024
        limits.messageBytes = 1024 * 1024
        limits.inboundBytes = 2 * 1024 * 1024
        return limits
    }
}
