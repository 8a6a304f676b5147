/// A peer's request for a WebSocket connection.
public struct HandshakeInfo: Sendable, Hashable {
    /// The sub-protocol that was chosen; nil when the server offers none.
    public var subprotocol: Subprotocol?
    /// The peer's IP address as text, without port; an IPv4 address in IPv6 form is given as IPv4.
    public var remoteAddress: String
    /// The `Host` header, with port where given.
    public var host: String
    /// The `Origin` header, which only browsers send.
    public var origin: String?
    /// The `Authorization` header. A secret: keep it out of logs.
    public var authorization: String?
    /// The `X-Forwarded-For` header, several of them joined by commas: a claim, to be believed only from a trusted
    /// proxy.
    public var forwardedFor: String?

    /// A handshake with these parts.
    public init(
        subprotocol: Subprotocol? = nil,
        remoteAddress: String,
        host: String,
        origin: String? = nil,
        authorization: String? = nil,
        forwardedFor: String? = nil
    ) {
        self.subprotocol = subprotocol
        self.remoteAddress = remoteAddress
        self.host = host
        self.origin = origin
        self.authorization = authorization
        self.forwardedFor = forwardedFor
    }

    /// Whether the peer is on this machine (127.0.0.0/8 or ::1).
    public var isLoopback: Bool { IPAddress.isLoopback(remoteAddress) }
}

extension HandshakeInfo: CustomStringConvertible {
    /// Without the authorization: safe for a log.
    public var description: String {
        "\(remoteAddress) as \(subprotocol?.name ?? "no sub-protocol") from \(origin ?? "no origin")"
    }
}

/// Whether a peer may have the connection it asks for.
public enum HandshakeDecision: Sendable, Hashable {
    /// It may.
    case accept
    /// It is answered with this HTTP status (400 to 599) and the connection is closed.
    case refuse(status: Int)
}
