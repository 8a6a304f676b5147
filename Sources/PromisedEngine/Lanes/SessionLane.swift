internal import PromisedDomain

protocol LaneResident: Actor {
    nonisolated var lane: SessionLane { get }
    /// `true` if the session has unsent positions.
    var hasPositionsToSend: Bool { get }
    /// Sends the collected positions.
    func endCollection()
}

extension LaneResident {
    /// Calls ``endCollection()`` from the lane's executor, which the session shares.
    fileprivate nonisolated func endCollectionHere() { assumeIsolated { $0.endCollection() } }
    fileprivate nonisolated var hasPositionsHere: Bool { assumeIsolated { $0.hasPositionsToSend } }
}

/// The timed work of the sessions of one executor: sending their collections, and waking them. It shares their
/// executor, so a request needs no thread switch.
///
/// All collections last equally long, so they form a FIFO queue. The time is rounded up to a grid: with many sessions
/// one wake serves several, and the scheduler receives all their wakes at once.
actor SessionLane {
    private struct Waiting {
        let session: any LaneResident
        let due: ContinuousClock.Instant
    }

    /// The longest step of the grid.
    private static let longestStep = Duration.milliseconds(25)

    nonisolated let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private(set) var grid = ReportingGrid.coarsest

    private let delay: Duration
    private let step: Duration
    private let clock: CollectionClock
    private let origin: ContinuousClock.Instant
    private var waiting: [Waiting] = []
    private var wakes: [SessionWake] = []
    private let work: AsyncStream<Void>
    private let workContinuation: AsyncStream<Void>.Continuation

    /// A lane whose sessions send `delay` after they are added.
    init(on executor: any SerialExecutor, delay: Duration, clock: CollectionClock) {
        self.clock = clock
        origin = clock.now
        self.executor = executor
        self.delay = delay
        step = min(Self.longestStep, delay / 8)
        (work, workContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Schedules sending of the session's positions; do not add it again before that.
    func add(_ session: any LaneResident) {
        startWhenIdle()
        waiting.append(Waiting(session: session, due: due(after: clock.now)))
    }

    /// Schedules a wake of a session. The scheduler receives it with the next collection, at most one collection's
    /// duration later.
    func add(_ wake: SessionWake) {
        startWhenIdle()
        wakes.append(wake)
    }

    /// Changes the slots: each session adopts them with its next report.
    func follow(_ grid: ReportingGrid) { self.grid = grid }

    /// Runs a short read on each of these sessions, all on this executor, without suspension.
    func visit<Session: LaneResident, Value: Sendable>(
        _ sessions: ArraySlice<Session>,
        _ look: @Sendable (isolated Session) -> Value
    ) -> [(session: Session, found: Value)] {
        sessions.map { (session: $0, found: $0.assumeIsolated(look)) }
    }

    /// Serves sessions until the task is cancelled; then sends all pending collections at once.
    func run(with scheduler: SessionScheduler) async {
        for await _ in work {
            await passOnWakes(to: scheduler)
            while let next = waiting.first {
                await sleep(until: next.due)
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

    /// Ends collections that were sent early, because every member had reported: they need no wake.
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

    private func sleep(until due: ContinuousClock.Instant) async {
        guard due > clock.now else { return }
        do {
            try await clock.sleep(until: due)
        } catch {
            // Cancelled while asleep: sends at once.
        }
    }
}
