/// What other threads ask of a service thread; done in the order of asking.
enum LoopCommand: Sendable {
    /// Put payloads into the outboxes of these connections.
    case send([Parcel], to: [ConnectionID], kind: FrameKind)
    /// Close a connection once what waits for it has been sent.
    case close(ConnectionID, CloseReason)
    /// A peer is known: lift its deadline and raise its limit.
    case admit(ConnectionID)
    /// Cut a connection that nobody has signed in on, for another needs its place.
    case cut(ConnectionID)
    /// A received message of so many bytes was dealt with.
    case processed(ConnectionID, bytes: Int)
    /// Connect as a client.
    case connect(ClientAttempt)
    /// Stop connecting, or cut what was connected just now.
    case abandon(ClientAttempt)
    /// Show new connections another certificate.
    case present(TLSCertificate)
    /// Close everything, within `timeout` after `spread`, then end the thread.
    case shutdown(CloseReason, spread: Duration, timeout: Duration)
}

/// Which kind of frame a payload is sent in.
enum FrameKind: Sendable {
    /// The kind of the connection's sub-protocol.
    case ofSubprotocol
    /// As named, whatever the sub-protocol.
    case text
    case binary
}
