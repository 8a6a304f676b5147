/// Where and how a client connects.
package struct ClientRequest: Sendable, Hashable {
    /// A name or IP address.
    package var host: String
    package var port: UInt16
    /// The path, with the query if any.
    package var path: String
    /// `true` to use TLS (`wss`); the server's certificate must then be valid for `host`.
    package var usesTLS: Bool
    /// The sub-protocols that the client supports, best first; empty to request none.
    package var subprotocols: [String]
    /// The `Origin` to send, as browsers do; nil to omit it.
    package var origin: String?
    /// Further headers, such as `Authorization`. Headers whose name or value could break the request are omitted.
    package var headers: [HTTPHeader]

    package init(
        host: String,
        port: UInt16,
        path: String = "/ws",
        usesTLS: Bool = false,
        subprotocols: [String] = [],
        origin: String? = nil,
        headers: [HTTPHeader] = []
    ) {
        self.host = host
        self.port = port
        self.path = path
        self.usesTLS = usesTLS
        self.subprotocols = subprotocols
        self.origin = origin
        self.headers = headers
    }

    /// The `Host` header: with the port, and an IPv6 address in brackets.
    package var hostHeader: String { ListeningAddress(host: host, port: port).description }
}

/// The settings of a WebSocket client.
package struct ClientConfiguration: Sendable, Hashable {
    package var limits = ConnectionLimits.client
    /// The deadlines of a connection; `handshake` bounds connecting, without the name look-up.
    package var timing = ConnectionTiming.client
    /// A PEM file of trusted authorities for TLS; nil for the system's.
    package var authoritiesFile: String?
    /// `true` to use the library's poll loop even if libev is installed.
    package var usesPoll = false

    /// The default settings.
    package init() {}
}
