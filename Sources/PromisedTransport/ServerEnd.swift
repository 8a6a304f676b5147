/// What the service threads of one server have in common.
final class ServerEnd: Sendable {
    let configuration: ServerConfiguration
    let handler: any ConnectionHandler
    /// Places for WebSocket connections.
    let places: Budget
    /// Places for sockets: some more, so that plain requests are answered when all WebSocket places are taken.
    let sockets: Budget

    init(configuration: ServerConfiguration, handler: any ConnectionHandler, maximumConnections: Int) {
        self.configuration = configuration
        self.handler = handler
        places = Budget(limit: maximumConnections)
        sockets = Budget(limit: maximumConnections + 64)
    }
}
