internal import PromisedConcurrency

/// The connections that wait for a turn, and those being served.
///
/// ```
/// start ─▶ queue ─▶ a turn, of a bounded number ─▶ done, or the end of the queue
/// ```
final class ServingQueue: Sendable {
    /// The largest number of connections served at a time, because a request takes up to 25 kB during processing: about
    /// twice the number that can wait for password hashing, which takes longest.
    private static let servedAtOnce = 128

    /// The connections in progress, at most ``servedAtOnce``, and the waiting ones, in order of arrival.
    private struct Turns: Sendable {
        private var running = 0
        private var waiting: [Connection] = []

        /// Requests a turn.
        ///
        /// - Returns: `true` if the turn begins now; otherwise the connection waits.
        mutating func begin(_ connection: Connection) -> Bool {
            guard running < ServingQueue.servedAtOnce else {
                waiting.append(connection)
                return false
            }
            running += 1
            return true
        }

        /// Ends a turn. Returns the connection whose turn begins; nil if none waits.
        mutating func next() -> Connection? {
            guard waiting.isEmpty else { return waiting.removeFirst() }
            running -= 1
            return nil
        }
    }

    private let work: AsyncStream<FrameDispatcher.Work>
    private let continuation: AsyncStream<FrameDispatcher.Work>.Continuation
    private let turns = Guarded(Turns())
    private let activity = ServingActivity()
    private let isClosed = Guarded(false)

    /// An empty queue. It is bounded by the number of connections: each is in it once until it is served.
    init() { (work, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded) }

    /// `true` while the queue accepts new frames.
    var isOpen: Bool { !isClosed.withLock { $0 } }

    /// Begins a piece of work; ``end()`` ends it.
    func start(_ next: FrameDispatcher.Work) {
        activity.begin()
        continuation.yield(next)
    }

    /// Puts a connection with remaining work at the end of the queue.
    ///
    /// - Returns: `false` if the queue has ended.
    func goOn(with connection: Connection) -> Bool {
        if case .terminated = continuation.yield(.frames(of: connection)) { false } else { true }
    }

    /// Ends a piece of work.
    func end() { activity.end() }

    /// Serves connections until the task is cancelled.
    ///
    /// - Parameters:
    ///   - serve: serves the frames of a connection for one turn.
    ///   - complete: completes a report without waiting for a turn: the session has received it, and other participants
    ///     wait for its events.
    func run(
        serve: @escaping @Sendable (Connection) async -> Void,
        complete: @escaping @Sendable (FrameDispatcher.BegunReport) async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            for await next in work {
                switch next {
                case .frames(let connection):
                    guard turns.withLock({ $0.begin(connection) }) else { continue }
                    group.addTask {
                        var next: Connection? = connection
                        while let connection = next {
                            await serve(connection)
                            next = self.turns.withLock { $0.next() }
                        }
                    }
                case .report(let report): group.addTask { await complete(report) }
                }
            }
        }
    }

    /// Accepts no more frames, and waits for the work in progress, for at most `limit` of real time.
    func finish(within limit: Duration) async {
        isClosed.withLock { $0 = true }
        await activity.quiet(within: limit)
    }
}

/// The number of pieces of work in progress, and a way to wait until it is zero.
final class ServingActivity: Sendable {
    private struct State: Sendable {
        var count = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    func begin() { state.withLock { $0.count += 1 } }

    func end() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the number is zero, for at most `limit`.
    func quiet(within limit: Duration) async {
        await withTaskGroup { group in
            group.addTask { await self.quiet() }
            group.addTask { [self] in
                // Cancelled below, when no waiter is left.
                try? await Task.sleep(for: limit, clock: .continuous)
                resumeWaiters()
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func quiet() async {
        await withCheckedContinuation { continuation in
            let isQuiet = state.withLock { state in
                if state.count == 0 { return true }
                state.waiters.append(continuation)
                return false
            }
            if isQuiet { continuation.resume() }
        }
    }

    private func resumeWaiters() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
