public import PromisedProtocol

/// Makes the connections of a client: the seam between ``PromisedClient`` and the network.
///
/// `URLSessionTransport` is one for Apple's systems, `MemoryTransport` one for tests of apps. Another needs two types: the
/// transport, and the ``ClientLink`` that it makes.
public protocol ClientTransport: Sendable {
    /// One connection.
    associatedtype Link: ClientLink

    /// Connects, and returns once messages can be sent. Cancelling the task gives up the attempt.
    ///
    /// - Throws: any error; its description is shown to people, and the client tries again.
    func connect(_ request: LinkRequest) async throws -> Link

    /// Closes all connections and returns when none is left. Later attempts fail.
    func shutDown() async
}

/// The server to connect to, and the codec.
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

/// One connection of a client.
public protocol ClientLink: Sendable {
    /// Incoming events, in order, ending with ``LinkEvent/closed(code:)``.
    associatedtype Incoming: AsyncSequence<LinkEvent, Never> & Sendable

    /// Incoming events; read by one task.
    var incoming: Incoming { get }

    /// Queues a message; returns at once. Discarded if the connection has ended.
    func send(_ bytes: [UInt8])

    /// Begins to close. ``incoming`` ends with ``LinkEvent/closed(code:)`` after that, with this code unless the server
    /// closed first.
    func close(code: UInt16)

    /// `true` if the transport itself pings a silent server and closes the connection after ``LinkRequest/silence``; by
    /// default. With `false` the client does both, by ``ping()`` and ``close(code:)``.
    var watchesSilence: Bool { get }

    /// Sends a ping, whose answer comes as ``LinkEvent/pong``. Called only if ``watchesSilence`` is `false`.
    func ping()
}

extension ClientLink {
    /// The transport pings by itself.
    public var watchesSilence: Bool { true }

    /// Does nothing: the transport pings by itself.
    public func ping() {}
}

/// An incoming event of a connection.
public enum LinkEvent: Hashable, Sendable {
    /// A message.
    case message([UInt8])
    /// The answer to a ``ClientLink/ping()``.
    case pong
    /// The end, with its code; 1006 if the connection broke. `reason` is the text of the server's close frame: after
    /// ``CloseCode/malformedFrame`` it says what was wrong.
    case closed(code: UInt16, reason: String = "")
}
