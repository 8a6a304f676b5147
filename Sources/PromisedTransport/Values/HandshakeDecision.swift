/// Whether a peer may have the connection it asks for.
public enum HandshakeDecision: Sendable, Hashable {
    /// It may.
    case accept
    /// It is answered with this HTTP status (400 to 599) and the connection is closed.
    case refuse(status: Int)
}
