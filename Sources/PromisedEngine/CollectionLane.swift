/// The sessions of one executor that collect positions; it lives where they do, so that none costs a change of threads.
///
/// The time is the same for all, so they wait in order. It is rounded up to a grid: with many sessions one wake serves
/// several.
actor CollectionLane {
    private struct Waiting {
        let session: PromiseSession
        let due: ContinuousClock.Instant
    }

    /// The longest step of the grid.
    private static let longestStep = Duration.milliseconds(25)

    /// Its home and that of its sessions.
    nonisolated let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let delay: Duration
    private let step: Duration
    private let origin = ContinuousClock.now
    private var waiting: [Waiting] = []
    private let work: AsyncStream<Void>
    private let workContinuation: AsyncStream<Void>.Continuation

    /// A lane whose sessions send `delay` after they were added.
    init(on executor: any SerialExecutor, delay: Duration) {
        self.executor = executor
        self.delay = delay
        step = min(Self.longestStep, delay / 8)
        (work, workContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Asks for the session's positions to be sent; it must not be added again until they were.
    func add(_ session: PromiseSession) {
        if waiting.isEmpty { workContinuation.yield() }
        waiting.append(Waiting(session: session, due: due(after: .now)))
    }

    /// Serves sessions until the task is cancelled, and then at once those that wait.
    func run() async {
        for await _ in work {
            while let next = waiting.first {
                await Self.sleep(until: next.due)
                sendDue(by: next.due)
            }
        }
        while let next = waiting.first { sendDue(by: next.due) }
    }

    private func sendDue(by instant: ContinuousClock.Instant) {
        let due = Array(waiting.prefix { $0.due <= instant })
        waiting.removeFirst(due.count)
        for next in due { next.session.assumeIsolated { $0.endCollection() } }
    }

    private func due(after now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        guard step > .zero else { return now + delay }
        let steps = ((now + delay - origin) / step).rounded(.up)
        return origin + step * Int(steps)
    }

    private static func sleep(until due: ContinuousClock.Instant) async {
        guard due > .now else { return }
        do {
            try await Task.sleep(until: due, clock: .continuous)
        } catch {
            // Cancelled while asleep: what waits is sent at once.
        }
    }
}
