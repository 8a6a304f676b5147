/// A loop's role: accepting connections or making them.
enum EndpointRole: Sendable {
    /// Accepts connections.
    case server(ServerEndpoint)
    /// Makes connections.
    case client(ClientConfiguration)

    /// Its name in metrics.
    var label: String {
        switch self {
        case .server: "server"
        case .client: "client"
        }
    }

    var isServer: Bool {
        switch self {
        case .server: true
        case .client: false
        }
    }

    /// `true` for a server with TLS.
    var usesTLS: Bool {
        switch self {
        case .server(let server): server.configuration.certificate != nil
        case .client: false
        }
    }

    /// `true` if it uses the library's poll loop even if libev is installed.
    var usesPoll: Bool {
        switch self {
        case .server(let server): server.configuration.usesPoll
        case .client(let configuration): configuration.usesPoll
        }
    }

    /// The library requires at least one; a server without sub-protocols refuses clients that request one before the
    /// library checks.
    var protocolNames: [String] {
        switch self {
        case .server(let server):
            server.configuration.subprotocols.isEmpty ? ["-"] : server.configuration.subprotocols.map(\.name)
        case .client: ["client"]
        }
    }

    /// A server's clients expect a reply at once, or an update every few seconds: 5 ms are little compared with both.
    /// Clients, which run by the thousand only in tests, must not make the server appear slower than it is.
    var coalescing: EventCoalescing { EventCoalescing(longest: isServer ? .milliseconds(5) : .milliseconds(1)) }
}
