/// What comes over one connection, in order; ends after `.closed`. For one consumer, once.
///
/// A message counts as dealt with when it is handed out. When the consumer is slow, reading from the connection stops
/// at the marks of ``ConnectionLimits`` and TCP makes the server wait, so the buffer is bounded by them.
public struct IncomingEvents: AsyncSequence, Sendable {
    private let stream: AsyncStream<ClientEvent>
    private let processed: @Sendable (Int) -> Void

    /// A sequence over `stream` that tells `processed` the size of each message handed out.
    init(stream: AsyncStream<ClientEvent>, processed: @escaping @Sendable (Int) -> Void) {
        self.stream = stream
        self.processed = processed
    }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), processed: processed) }

    /// Reads one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private var base: AsyncStream<ClientEvent>.Iterator
        private let processed: @Sendable (Int) -> Void

        init(base: AsyncStream<ClientEvent>.Iterator, processed: @escaping @Sendable (Int) -> Void) {
            self.base = base
            self.processed = processed
        }

        /// The next event; nil after the last, or when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ClientEvent? {
            let event = await base.next(isolation: actor)
            if case .message(let bytes, _) = event { processed(bytes.count) }
            return event
        }

        /// The next event; nil after the last, or when the task is cancelled.
        public mutating func next() async -> ClientEvent? { await next(isolation: nil) }
    }
}
