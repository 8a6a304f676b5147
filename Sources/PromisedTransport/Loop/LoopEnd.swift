/// A loop's role: accepting connections or making them.
enum LoopEnd: Sendable {
    /// Serves them.
    case server(ServerEnd)
    /// Connects them.
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

    /// Whether it speaks TLS as a server.
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

    /// The library wants at least one; a server without sub-protocols refuses clients that ask before it looks.
    var protocolNames: [String] {
        switch self {
        case .server(let server):
            server.configuration.subprotocols.isEmpty ? ["-"] : server.configuration.subprotocols.map(\.name)
        case .client: ["client"]
        }
    }

    /// A server's clients expect an answer at once, or see an update every few seconds: 5 ms are little beside both.
    /// Clients, which run by the thousand only in tests, must not measure the server as slower than it is.
    var gathering: EventGathering { EventGathering(longest: isServer ? .milliseconds(5) : .milliseconds(1)) }
}
