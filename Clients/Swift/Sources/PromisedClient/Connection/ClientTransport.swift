public import PromisedProtocol

/// Makes the connections of a client: the seam between ``PromisedClient`` and the network.
///
/// `URLSessionTransport` is one for Apple's systems, `MemoryTransport` one for tests of apps. Another needs two types: the
/// transport, and the ``ClientLink`` that it makes.
public protocol ClientTransport: Sendable {
    /// One connection.
    associatedtype Link: ClientLink

    /// Connects, and returns once messages can be sent. Cancelling the task cancels the attempt.
    ///
    /// - Throws: any error; the client shows its description to people, and tries again.
    func connect(_ request: LinkRequest) async throws -> Link

    /// Closes all connections and returns when none is left. Later attempts fail.
    func shutDown() async
}

/// The server to connect to, and the codec.
public struct LinkRequest: Hashable, Sendable {
    /// The server.
    public var address: ServerAddress
    /// The encoding: it determines the WebSocket sub-protocol (``WireCodec/subprotocol``) and the kind of frames
    /// (``WireCodec/isText``).
    public var codec: WireCodec
    /// The longest time without any frame from the server, even a pong, before the transport ends the link with
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

    /// Begins to close. ``incoming`` then ends with ``LinkEvent/closed(code:)``, with this code unless the server
    /// closed first.
    func close(code: UInt16)

    /// `true` (the default) if the transport itself pings a silent server and closes the connection after
    /// ``LinkRequest/silence``. With `false` the client does both, by ``ping()`` and ``close(code:)``.
    var watchesSilence: Bool { get }

    /// Sends a ping, whose answer arrives as ``LinkEvent/pong``. Called only if ``watchesSilence`` is `false`.
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
    /// ``CloseCode/malformedFrame`` it names the fault.
    case closed(code: UInt16, reason: String = "")
}
