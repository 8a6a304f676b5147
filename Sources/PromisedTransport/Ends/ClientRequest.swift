/// Where and how a client connects.
package struct ClientRequest: Sendable, Hashable {
    /// The server's name or IP address.
    package var host: String
    /// The server's port.
    package var port: UInt16
    /// The path, and a query if any.
    package var path: String
    /// Whether to speak TLS (`wss`); the server's certificate must then be valid for `host`.
    package var usesTLS: Bool
    /// The sub-protocols the client knows, best first; empty to ask for none.
    package var subprotocols: [String]
    /// The `Origin` to send, as browsers do; nil for none.
    package var origin: String?
    /// Further headers, `Authorization` among them. One whose name or value could break the request is left out.
    package var headers: [HTTPHeader]

    /// A request with these parts.
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
    /// The limits of a connection.
    package var limits = ConnectionLimits.client
    /// How long a connection may take; `handshake` bounds connecting, without the look-up of the name.
    package var timing = ConnectionTiming.client
    /// A file of trusted authorities in PEM for TLS; nil for the system's.
    package var authoritiesFile: String?
    /// Uses the library's poll loop even if libev is installed.
    package var usesPoll = false

    /// The ordinary settings.
    package init() {}
}
