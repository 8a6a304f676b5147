/// Where and how a client connects.
public struct ClientRequest: Sendable, Hashable {
    /// The server's name or IP address.
    public var host: String
    /// The server's port.
    public var port: UInt16
    /// The path, and a query if any.
    public var path: String
    /// Whether to speak TLS (`wss`); the server's certificate must then be valid for `host`.
    public var usesTLS: Bool
    /// The sub-protocols the client knows, best first; empty to ask for none.
    public var subprotocols: [String]
    /// The `Origin` to send, as browsers do; nil for none.
    public var origin: String?
    /// Further headers, `Authorization` among them. One whose name or value could break the request is left out.
    public var headers: [HTTPHeader]

    /// A request with these parts.
    public init(
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
public struct ClientConfiguration: Sendable, Hashable {
    /// What a connection may hold.
    public var limits = ConnectionLimits.client
    /// How long a connection may take; `handshake` bounds connecting, without the look-up of the name.
    public var timing = ConnectionTiming.client
    /// A file of trusted authorities in PEM for TLS; nil for the system's.
    public var authoritiesFile: String?
    /// Uses the library's poll loop even if libev is installed.
    package var usesPoll = false

    /// The ordinary settings.
    public init() {}
}
