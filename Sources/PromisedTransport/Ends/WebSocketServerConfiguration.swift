/// The settings of a WebSocket server.
package struct WebSocketServerConfiguration: Sendable, Hashable {
    /// The address to listen on, or a name for one; `0.0.0.0` for all IPv4, `::` for all addresses.
    package var host = "127.0.0.1"
    /// The port to listen on; with 0 the system chooses one.
    package var port: UInt16 = 0
    /// The certificate for TLS (1.2 or later); nil for plain TCP.
    package var certificate: TLSCertificate?
    /// The path WebSocket connections are made to; other upgrades are refused with 404.
    package var path = "/ws"
    /// The sub-protocols on offer; the first is for clients that ask for none. If none is offered, asking for one is
    /// refused.
    package var subprotocols: [Subprotocol]
    /// Headers of every answer to plain HTTP and of every refused handshake.
    package var answerHeaders: [HTTPHeader] = []
    /// The limits of a connection.
    package var limits = ConnectionLimits()
    /// How long a connection may take.
    package var timing = ConnectionTiming()
    /// The most WebSocket connections at once; nil, and anything above, means the process's limit of open files, less
    /// 256 for its other files (2,000 if libev can't be used).
    package var maximumConnections: Int?
    /// The most connections from one source (``ConnectionHandler/source(ofPeer:)``) that were not admitted, including
    /// those in a handshake.
    package var unadmittedPerSource = Int.max
    /// Uses the library's poll loop even if libev is installed; slow beyond some thousand connections.
    package var usesPoll = false

    /// The settings of a server on a free loopback port that offers these sub-protocols.
    package init(subprotocols: [Subprotocol] = []) { self.subprotocols = subprotocols }
}
