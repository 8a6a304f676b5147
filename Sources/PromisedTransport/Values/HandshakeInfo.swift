/// A peer's request for a WebSocket connection.
package struct HandshakeInfo: Sendable, Hashable {
    /// The chosen sub-protocol; nil if the server offers none.
    package var subprotocol: Subprotocol?
    /// The peer's IP address as text, without port; an IPv4 address in IPv6 form is given as IPv4.
    package var remoteAddress: String
    /// The `Host` header, including the port if given.
    package var host: String
    /// The `Origin` header, which only browsers send.
    package var origin: String?
    /// A secret: never log it.
    package var authorization: String?
    /// The `X-Forwarded-For` header, several of them joined by commas: a claim, valid only if made by a trusted proxy.
    package var forwardedFor: String?

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

    /// `true` if the peer is on this machine (127.0.0.0/8 or ::1).
    package var isLoopback: Bool { IPAddress.isLoopback(remoteAddress) }
}

extension HandshakeInfo: CustomStringConvertible {
    /// Without the authorization, so it is safe to log.
    package var description: String {
        "\(remoteAddress) as \(subprotocol?.name ?? "no sub-protocol") from \(origin ?? "no origin")"
    }
}

/// The decision about a handshake.
package enum HandshakeDecision: Sendable, Hashable {
    case accept
    /// Refuses with this HTTP status (400 to 599) and closes the connection.
    case refuse(status: Int)
}
