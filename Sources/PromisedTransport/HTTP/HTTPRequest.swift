/// A plain HTTP request on the port of the WebSocket server. Requests with a body have already been refused.
package struct HTTPRequest: Sendable, Hashable {
    /// The supported methods; others are refused with 405.
    package enum Method: Sendable, Hashable {
        case get
        /// `HEAD`: handled like `GET`, without the body.
        case head
    }

    package var method: Method
    /// The path without the query, percent-decoded; begins with `/`.
    package var path: String
    /// The peer's IP address as text, without port.
    package var remoteAddress: String
    /// The `Host` header; nil if absent.
    package var host: String?
    /// A secret: never log it.
    package var authorization: String?
    package var ifNoneMatch: String?
    /// The `X-Forwarded-For` header, several of them joined by commas: a claim, valid only if made by a trusted proxy.
    package var forwardedFor: String?
    /// `true` if it has a header that proxies add: `X-Forwarded-For`, `X-Real-IP` or `Via`; without TLS also
    /// `Forwarded`. Also `true` for a request without TLS that did not arrive in one piece, because it may have that
    /// header.
    package var isForwarded: Bool

    /// By default, it counts as forwarded if it has `forwardedFor`.
    package init(
        method: Method = .get,
        path: String,
        remoteAddress: String,
        host: String? = nil,
        authorization: String? = nil,
        ifNoneMatch: String? = nil,
        forwardedFor: String? = nil,
        isForwarded: Bool? = nil
    ) {
        self.method = method
        self.path = path
        self.remoteAddress = remoteAddress
        self.host = host
        self.authorization = authorization
        self.ifNoneMatch = ifNoneMatch
        self.forwardedFor = forwardedFor
        self.isForwarded = isForwarded ?? (forwardedFor != nil)
    }

    /// `true` if the peer is on this machine (127.0.0.0/8 or ::1).
    package var isLoopback: Bool { IPAddress.isLoopback(remoteAddress) }
}
