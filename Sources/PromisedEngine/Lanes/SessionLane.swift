internal import PromisedDomain

/// A session as its lane knows it.
protocol LaneResident: Actor {
    /// Where it lives.
    nonisolated var lane: SessionLane { get }
    /// Whether it has positions that were not sent.
    var hasPositionsToSend: Bool { get }
    /// Sends what was collected.
    func endCollection()
}

extension LaneResident {
    /// ``endCollection()`` from the executor that it shares with its lane.
    fileprivate nonisolated func endCollectionHere() { assumeIsolated { $0.endCollection() } }

    /// ``hasPositionsToSend`` from there.
    fileprivate nonisolated var hasPositionsHere: Bool { assumeIsolated { $0.hasPositionsToSend } }
}

/// What the sessions of one executor want done later: their collections sent, and themselves woken. It lives where they do,
/// so that asking costs no change of threads.
///
/// A collection takes the same time for all, so they wait in order. The time is rounded up to a grid: with many sessions
/// one wake serves several, and the scheduler hears of all their wakes at once.
actor SessionLane {
    private struct Waiting {
        let session: any LaneResident
        let due: ContinuousClock.Instant
    }

    /// The longest step of the grid.
    private static let longestStep = Duration.milliseconds(25)

    /// Its home and that of its sessions.
    nonisolated let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The slots in which its sessions have their members report.
    private(set) var grid = ReportingGrid.coarsest

    private let delay: Duration
    private let step: Duration
    private let origin = ContinuousClock.now
    private var waiting: [Waiting] = []
    private var wakes: [SessionWake] = []
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
    func add(_ session: any LaneResident) {
        startWhenIdle()
        waiting.append(Waiting(session: session, due: due(after: .now)))
    }

    /// Asks for a session to be woken. The scheduler hears of it with the next collection, at the latest when the time of
    /// one has passed.
    func add(_ wake: SessionWake) {
        startWhenIdle()
        wakes.append(wake)
    }

    /// From now on there are these slots: each session follows with its next report.
    func follow(_ grid: ReportingGrid) { self.grid = grid }

    /// Takes a short look at each of these sessions, all of which live here, in one go.
    func visit<Session: LaneResident, Value: Sendable>(
        _ sessions: ArraySlice<Session>,
        _ look: @Sendable (isolated Session) -> Value
    ) -> [(session: Session, found: Value)] {
        sessions.map { (session: $0, found: $0.assumeIsolated(look)) }
    }

    /// Serves sessions until the task is cancelled, and then at once those that wait.
    func run(with scheduler: SessionScheduler) async {
        for await _ in work {
            await passOnWakes(to: scheduler)
            while let next = waiting.first {
                await Self.sleep(until: next.due)
                sendDue(by: next.due)
                endWhereNothingWaits()
                await passOnWakes(to: scheduler)
            }
        }
        while let next = waiting.first { sendDue(by: next.due) }
    }

    private func startWhenIdle() {
        if waiting.isEmpty, wakes.isEmpty { workContinuation.yield() }
    }

    private func sendDue(by instant: ContinuousClock.Instant) {
        let due = Array(waiting.prefix { $0.due <= instant })
        waiting.removeFirst(due.count)
        for next in due { next.session.endCollectionHere() }
    }

    /// Collections that went out early, for everybody had reported, need no wake of their own.
    private func endWhereNothingWaits() {
        let first = waiting.firstIndex { $0.session.hasPositionsHere } ?? waiting.endIndex
        for next in waiting[..<first] { next.session.endCollectionHere() }
        waiting.removeFirst(first)
    }

    private func passOnWakes(to scheduler: SessionScheduler) async {
        guard !wakes.isEmpty else { return }
        let asked = wakes
        wakes = []
        await scheduler.schedule(asked)
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
