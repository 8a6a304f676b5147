/// The settings of a WebSocket server.
public struct ServerConfiguration: Sendable, Hashable {
    /// The address to listen on, or a name for one; `0.0.0.0` for all IPv4, `::` for all addresses.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 has the system choose.
    public var port: UInt16 = 0
    /// What TLS is spoken with (1.2 or later); nil for plain TCP.
    public var certificate: TLSCertificate?
    /// The path WebSocket connections are made to; other upgrades are refused with 404.
    public var path = "/ws"
    /// The sub-protocols on offer; the first is for those who ask for none. With none offered, asking is refused.
    public var subprotocols: [Subprotocol]
    /// Headers of every answer to plain HTTP and of every refused handshake.
    public var answerHeaders: [HTTPHeader] = []
    /// What a connection may hold.
    public var limits = ConnectionLimits()
    /// How long a connection may take.
    public var timing = ConnectionTiming()
    /// How many WebSocket connections there may be at once; nil, and anything above, means as many as the process may
    /// open files, less 256 that the rest of it needs (2,000 when the libev loop can't be used).
    public var maximumConnections: Int?
    /// How many connections there may be from one source (``ConnectionHandler/source(ofPeer:)``) that were not admitted, those
    /// in a handshake included.
    public var unadmittedPerSource = Int.max
    /// Uses the library's poll loop even where libev is there; slow beyond some thousand connections.
    package var usesPoll = false

    /// The settings of a server on a free loopback port that offers these sub-protocols.
    public init(subprotocols: [Subprotocol] = []) {
        self.subprotocols = subprotocols
    }
}
