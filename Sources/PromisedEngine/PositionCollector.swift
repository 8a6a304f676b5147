/// Sends each session's collected positions a fixed time after the first report of a collection (protocol §6).
///
/// The time is the same for all sessions, so those that wait stand in order and one task serves them.
final class PositionCollector: Sendable {
    private struct Waiting: Sendable {
        let session: PromiseSession
        let due: ContinuousClock.Instant
    }

    private let delay: Duration
    private let waiting: AsyncStream<Waiting>
    private let continuation: AsyncStream<Waiting>.Continuation

    /// A collector that sends `delay` after a session was added.
    init(delay: Duration) {
        self.delay = delay
        // Bounded by the number of sessions: each is added once until its positions were sent.
        (waiting, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Asks for the session's positions to be sent; it must not be added again until they were.
    func add(_ session: PromiseSession) {
        continuation.yield(Waiting(session: session, due: .now + delay))
    }

    /// Serves sessions until the task is cancelled. None waits for another that is busy.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await next in waiting {
                do {
                    try await Task.sleep(until: next.due, clock: .continuous)
                } catch {
                    // Cancelled while asleep: this one is sent at once, then the stream ends.
                }
                group.addTask { await next.session.sendPositions() }
            }
        }
    }
}
