/// An open connection of a ``WebSocketClient``. It stays open until either end closes it, even if this value is
/// dropped.
package struct ClientConnection: Sendable {
    /// Its id within the client.
    package let id: ConnectionID
    /// The sub-protocol chosen by the server; nil for none.
    package let subprotocol: String?
    package let incoming: IncomingEvents
    private let client: WebSocketClient

    init(id: ConnectionID, subprotocol: String?, incoming: IncomingEvents, client: WebSocketClient) {
        self.id = id
        self.subprotocol = subprotocol
        self.incoming = incoming
        self.client = client
    }

    /// Sends a message, from any thread, without waiting. Discards it if the connection has ended; if the queue would
    /// exceed ``ConnectionLimits``, closes the connection with 4002.
    package func send(_ bytes: [UInt8], isText: Bool) { client.send(bytes, isText: isText, on: id) }

    /// Closes the connection after its queued messages have been sent; `incoming` ends when the server has answered or
    /// the time is up.
    package func close(_ reason: CloseReason = .normal) { client.close(id, reason) }
}

/// An event of a client's connection.
package enum ClientEvent: Sendable, Hashable {
    /// A whole message.
    case message([UInt8], isText: Bool)
    /// The end of the connection, always the last event.
    case closed(CloseCause)
}

/// The events of one connection, in order; ends after `.closed`. For one consumer, once.
///
/// A message counts as processed when it is returned. If the consumer is slow, reading from the connection stops at the
/// marks of ``ConnectionLimits`` and TCP makes the server wait, so they bound the buffer.
package struct IncomingEvents: AsyncSequence, Sendable {
    private let stream: AsyncStream<ClientEvent>
    private let processed: @Sendable (Int) -> Void

    /// A sequence over `stream` that calls `processed` with the size of each returned message.
    init(stream: AsyncStream<ClientEvent>, processed: @escaping @Sendable (Int) -> Void) {
        self.stream = stream
        self.processed = processed
    }

    package func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), processed: processed) }

    /// Reads events one by one.
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

    /// A handler whose stream holds as many messages as may be unprocessed at once; reading stops before there are
    /// more.
    init(limits: ConnectionLimits) {
        (stream, continuation) = AsyncStream.makeStream(
            of: ClientEvent.self,
            bufferingPolicy: .bufferingOldest(limits.inboundFrames + 2)
        )
    }

    /// The attempt reports the connection's id itself.
    func opened(_ id: ConnectionID, subprotocol: String?) {}

    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) {
        continuation.yield(.message(bytes, isText: isText))
    }

    func closed(_ id: ConnectionID, _ cause: CloseCause) {
        continuation.yield(.closed(cause))
        continuation.finish()
    }
}
