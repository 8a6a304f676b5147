public import PromisedProtocol

/// Makes the connections of a client: the seam between ``PromisedClient`` and the network.
///
/// `URLSessionTransport` is one for Apple's systems, `MemoryTransport` one for tests of apps. Another needs two types: the
/// transport, and the ``ClientLink`` that it makes.
public protocol ClientTransport: Sendable {
    /// One connection.
    associatedtype Link: ClientLink

    /// Connects, and returns once messages can be sent. Cancelling the task gives the attempt up.
    ///
    /// - Throws: any error; its description is shown to people, and the client tries again.
    func connect(_ request: LinkRequest) async throws -> Link

    /// Closes all connections and returns when none is left. Nothing is connected afterwards.
    func shutDown() async
}

/// Where to connect, and how.
public struct LinkRequest: Hashable, Sendable {
    /// The server.
    public var address: ServerAddress
    /// The encoding: it names the WebSocket sub-protocol (``WireCodec/subprotocol``) and the kind of frames
    /// (``WireCodec/isText``).
    public var codec: WireCodec
    /// How long the server may send nothing, not even a pong, before the transport ends the link with
    /// ``CloseCode/silent``. Only for a transport that pings by itself (``ClientLink/watchesSilence``).
    public var silence: Duration

    /// A request with these parts.
    public init(address: ServerAddress, codec: WireCodec, silence: Duration = .seconds(45)) {
        self.address = address
        self.codec = codec
        self.silence = silence
    }
}
