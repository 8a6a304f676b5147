/// An open connection of a ``WebSocketClient``. It stays open until either end closes it, not until it is dropped.
public struct ClientConnection: Sendable {
    /// Its name within the client.
    public let id: ConnectionID
    /// The sub-protocol the server chose; nil for none.
    public let subprotocol: String?
    /// What comes over it.
    public let incoming: IncomingEvents
    private let client: WebSocketClient

    /// A connection of `client`.
    init(id: ConnectionID, subprotocol: String?, incoming: IncomingEvents, client: WebSocketClient) {
        self.id = id
        self.subprotocol = subprotocol
        self.incoming = incoming
        self.client = client
    }

    /// Sends a message, from any thread, without waiting. When the connection has ended it is discarded; when more
    /// waits than ``ConnectionLimits`` allows, the connection is closed 4002.
    public func send(_ bytes: [UInt8], isText: Bool) { client.send(bytes, isText: isText, on: id) }

    /// Closes after what waits has been sent; `incoming` ends when the server has answered, or has not in time.
    public func close(_ reason: CloseReason = .normal) { client.close(id, reason) }
}
