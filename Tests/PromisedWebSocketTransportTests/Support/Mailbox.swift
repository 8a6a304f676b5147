/// A queue of values from any thread, for one reader at a time.
struct Mailbox<Value: Sendable>: Sendable {
    /// The mailbox was closed, or the test was cancelled.
    struct Ended: Error {}

    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    func put(_ value: Value) { continuation.yield(value) }

    func finish() { continuation.finish() }

    /// The next value, waiting for it.
    func next() async throws -> Value {
        for await value in stream { return value }
        throw Ended()
    }
}
