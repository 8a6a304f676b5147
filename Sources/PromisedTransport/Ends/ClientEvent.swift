/// What comes over a connection made by a client.
public enum ClientEvent: Sendable, Hashable {
    /// A whole message.
    case message([UInt8], isText: Bool)
    /// The end, always the last.
    case closed(CloseCause)
}
