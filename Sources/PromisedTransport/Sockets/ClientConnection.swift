/// An open connection of a ``WebSocketClient``. It stays open until either end closes it, not until it is dropped.
package struct ClientConnection: Sendable {
    /// Its name within the client.
    package let id: ConnectionID
    /// The sub-protocol the server chose; nil for none.
    package let subprotocol: String?
    /// The connection's events.
    package let incoming: IncomingEvents
    private let client: WebSocketClient

    init(id: ConnectionID, subprotocol: String?, incoming: IncomingEvents, client: WebSocketClient) {
        self.id = id
        self.subprotocol = subprotocol
        self.incoming = incoming
        self.client = client
    }

    /// Sends a message, from any thread, without waiting. When the connection has ended it is discarded; if more waits
    /// than ``ConnectionLimits`` allows, the connection is closed 4002.
    package func send(_ bytes: [UInt8], isText: Bool) { client.send(bytes, isText: isText, on: id) }

    /// Closes after what waits has been sent; `incoming` ends when the server has answered or the time is up.
    package func close(_ reason: CloseReason = .normal) { client.close(id, reason) }
}

/// An event of a client's connection.
package enum ClientEvent: Sendable, Hashable {
    /// A whole message.
    case message([UInt8], isText: Bool)
    /// The end, always the last.
    case closed(CloseCause)
}

/// The events of one connection, in order; ends after `.closed`. For one consumer, once.
///
/// A message counts as processed when it is handed out. When the consumer is slow, reading from the connection stops at
/// the marks of ``ConnectionLimits`` and TCP makes the server wait, so the buffer is bounded by them.
package struct IncomingEvents: AsyncSequence, Sendable {
    private let stream: AsyncStream<ClientEvent>
    private let processed: @Sendable (Int) -> Void

    /// A sequence over `stream` that tells `processed` the size of each message handed out.
    init(stream: AsyncStream<ClientEvent>, processed: @escaping @Sendable (Int) -> Void) {
        self.stream = stream
        self.processed = processed
    }

    /// Begins to read.
    package func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), processed: processed) }

    /// Reads one event after the other.
    package struct Iterator: AsyncIteratorProtocol {
        private var base: AsyncStream<ClientEvent>.Iterator
        private let processed: @Sendable (Int) -> Void

        init(base: AsyncStream<ClientEvent>.Iterator, processed: @escaping @Sendable (Int) -> Void) {
            self.base = base
            self.processed = processed
        }

        /// The next event; nil after the last, or when the task is cancelled.
        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ClientEvent? {
            let event = await base.next(isolation: actor)
            if case .message(let bytes, _) = event { processed(bytes.count) }
            return event
        }

        /// The next event; nil after the last, or when the task is cancelled.
        package mutating func next() async -> ClientEvent? { await next(isolation: nil) }
    }
}

final class StreamingHandler: ClientHandler {
    let stream: AsyncStream<ClientEvent>
    private let continuation: AsyncStream<ClientEvent>.Continuation

    /// A handler whose stream holds the messages that may be unprocessed at once; reading stops before there are more.
    init(limits: ConnectionLimits) {
        (stream, continuation) = AsyncStream.makeStream(
            of: ClientEvent.self,
            bufferingPolicy: .bufferingOldest(limits.inboundFrames + 2)
        )
    }

    /// The attempt reports the connection's name itself.
    func opened(_ id: ConnectionID, subprotocol: String?) {}

    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) {
        continuation.yield(.message(bytes, isText: isText))
    }

    func closed(_ id: ConnectionID, _ cause: CloseCause) {
        continuation.yield(.closed(cause))
        continuation.finish()
    }
}
