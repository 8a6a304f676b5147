/// The settings of a WebSocket server.
package struct WebSocketServerConfiguration: Sendable, Hashable {
    /// The address to listen on, or a name for one; `0.0.0.0` for all IPv4 addresses, `::` for all addresses.
    package var host = "127.0.0.1"
    /// 0 lets the system choose a port.
    package var port: UInt16 = 0
    /// The certificate for TLS (1.2 or later); nil for plain TCP.
    package var certificate: TLSCertificate?
    /// The path of WebSocket connections; other upgrades are refused with 404.
    package var path = "/ws"
    /// The offered sub-protocols; the first is for clients that request none. If none is offered, a client that
    /// requests one is refused.
    package var subprotocols: [Subprotocol]
    /// Headers of every reply to plain HTTP and of every refused handshake.
    package var answerHeaders: [HTTPHeader] = []
    package var limits = ConnectionLimits()
    /// The deadlines of a connection.
    package var timing = ConnectionTiming()
    /// The most WebSocket connections at once. Nil means the process's limit of open files, less 256 for other files
    /// (2,000 if libev can't be used), which is also the upper bound.
    package var maximumConnections: Int?
    /// The most connections per source (``ConnectionHandler/source(ofPeer:)``) that have not been admitted, including
    /// those in a handshake.
    package var unadmittedPerSource = Int.max
    /// `true` to use the library's poll loop even if libev is installed; slow beyond a few thousand connections.
    package var usesPoll = false

    /// By default a free loopback port.
    package init(subprotocols: [Subprotocol] = []) { self.subprotocols = subprotocols }
}
