import PromisedTransport

/// What the swarm wants done.
enum LoadAction: Hashable, Sendable {
    /// A frame to be sent.
    case send(ConnectionID, [UInt8])
    /// A connection to be closed.
    case close(ConnectionID)
    /// A seat to be connected.
    case connect(Int)

    /// With what connections are closed.
    static let leaving = CloseReason.goingAway
}
