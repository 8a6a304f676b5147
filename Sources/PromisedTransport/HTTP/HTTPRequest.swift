/// A plain HTTP request on the port of the WebSocket server. Requests with a body are refused before they get here.
package struct HTTPRequest: Sendable, Hashable {
    /// The methods that are answered; others are refused with 405.
    package enum Method: Sendable, Hashable {
        /// `GET`
        case get
        /// `HEAD`: answered as `GET`, without the body.
        case head
    }

    /// The request's method.
    package var method: Method
    /// The path without the query, percent-decoded; begins with `/`.
    package var path: String
    /// The peer's IP address as text, without port.
    package var remoteAddress: String
    /// The `Host` header; nil if absent.
    package var host: String?
    /// The `Authorization` header. A secret: keep it out of logs.
    package var authorization: String?
    /// The `If-None-Match` header.
    package var ifNoneMatch: String?
    /// The `X-Forwarded-For` header, several of them joined by commas: a claim, to be believed only from a trusted
    /// proxy.
    package var forwardedFor: String?
    /// `true` if it has a header that proxies add: `X-Forwarded-For`, `X-Real-IP` or `Via`; without TLS also `Forwarded`.
    /// A request without TLS that did not come in one piece may have the last and counts as if it had.
    package var isForwarded: Bool

    /// A request with these parts; it counts as forwarded when it has `forwardedFor`, unless told otherwise.
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

    /// Whether the peer is on this machine (127.0.0.0/8 or ::1).
    package var isLoopback: Bool { IPAddress.isLoopback(remoteAddress) }
}
