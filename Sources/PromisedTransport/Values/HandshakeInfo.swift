/// A peer's request for a WebSocket connection.
package struct HandshakeInfo: Sendable, Hashable {
    /// The sub-protocol that was chosen; nil when the server offers none.
    package var subprotocol: Subprotocol?
    /// The peer's IP address as text, without port; an IPv4 address in IPv6 form is given as IPv4.
    package var remoteAddress: String
    /// The `Host` header, with port where given.
    package var host: String
    /// The `Origin` header, which only browsers send.
    package var origin: String?
    /// The `Authorization` header. A secret: keep it out of logs.
    package var authorization: String?
    /// The `X-Forwarded-For` header, several of them joined by commas: a claim, to be believed only from a trusted
    /// proxy.
    package var forwardedFor: String?

    /// A handshake with these parts.
    package init(
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
    package var isLoopback: Bool { IPAddress.isLoopback(remoteAddress) }
}

extension HandshakeInfo: CustomStringConvertible {
    /// Without the authorization: safe for a log.
    package var description: String {
        "\(remoteAddress) as \(subprotocol?.name ?? "no sub-protocol") from \(origin ?? "no origin")"
    }
}

/// Whether a peer may have the connection it asks for.
package enum HandshakeDecision: Sendable, Hashable {
    /// It may.
    case accept
    /// It is answered with this HTTP status (400 to 599) and the connection is closed.
    case refuse(status: Int)
}
