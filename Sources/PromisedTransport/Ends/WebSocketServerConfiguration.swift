/// The settings of a WebSocket server.
public struct WebSocketServerConfiguration: Sendable, Hashable {
    /// The address to listen on, or a name for one; `0.0.0.0` for all IPv4, `::` for all addresses.
    public var host = "127.0.0.1"
    /// The port to listen on; with 0 the system chooses one.
    public var port: UInt16 = 0
    /// The certificate for TLS (1.2 or later); nil for plain TCP.
    public var certificate: TLSCertificate?
    /// The path WebSocket connections are made to; other upgrades are refused with 404.
    public var path = "/ws"
    /// The sub-protocols on offer; the first is for clients that ask for none. If none is offered, asking for one is
    /// refused.
    public var subprotocols: [Subprotocol]
    /// Headers of every answer to plain HTTP and of every refused handshake.
    public var answerHeaders: [HTTPHeader] = []
    /// What a connection may hold.
    public var limits = ConnectionLimits()
    /// How long a connection may take.
    public var timing = ConnectionTiming()
    /// The most WebSocket connections at once; nil, and anything above, means the process's limit of open files, less
    /// 256 for its other files (2,000 if libev can't be used).
    public var maximumConnections: Int?
    /// The most connections from one source (``ConnectionHandler/source(ofPeer:)``) that were not admitted, including
    /// those in a handshake.
    public var unadmittedPerSource = Int.max
    /// Uses the library's poll loop even if libev is installed; slow beyond some thousand connections.
    package var usesPoll = false

    /// The settings of a server on a free loopback port that offers these sub-protocols.
    public init(subprotocols: [Subprotocol] = []) { self.subprotocols = subprotocols }
}
