internal import Dispatch
internal import PromisedDomain

/// The lanes of all executors that sessions live on. Each session sends its collected positions a fixed time after the
/// first report of a collection (docs/protocol.md#reporting-slots).
final class SessionLanes: Sendable {
    private let lanes: [SessionLane]
    /// The lane of sessions of people who are in many at once; nil: they live with the others.
    private let crowd: SessionLane?
    private let all: [SessionLane]

    /// Lanes whose sessions send `delay` after they are added; they live on these executors, at least one.
    init(
        delay: Duration,
        executors: [any SerialExecutor],
        crowd: (any SerialExecutor)? = nil,
        clock: CollectionClock = .real
    ) {
        lanes = executors.map { SessionLane(on: $0, delay: delay, clock: clock) }
        self.crowd = crowd.map { SessionLane(on: $0, delay: delay, clock: clock) }
        all = lanes + (self.crowd.map { [$0] } ?? [])
    }

    /// The lane of a new session.
    func lane(of id: PromiseID, isCrowd: Bool) -> SessionLane {
        if isCrowd, let crowd { return crowd }
        return lanes[Int(truncatingIfNeeded: id.low % UInt64(lanes.count))]
    }

    /// How many there are, without that of the crowd.
    var count: Int { lanes.count }

    /// Changes the slots in which sessions' members report.
    func follow(_ grid: ReportingGrid) async {
        for lane in all { await lane.follow(grid) }
    }

    /// Looks at no more than this many sessions in one go: the executor has other work, too.
    static let visitLimit = 64

    /// Sessions of one lane that can be looked at in one go.
    struct Visit<Session: LaneResident>: Sendable {
        let lane: SessionLane
        let sessions: ArraySlice<Session>
    }

    /// The sessions by lane, in parts of at most `most`.
    func visits<Session: LaneResident>(
        to sessions: some Sequence<Session>,
        upTo most: Int = visitLimit
    ) -> [Visit<Session>] {
        let residents = Dictionary(grouping: sessions) { ObjectIdentifier($0.lane) }
        return all.flatMap { lane in
            let residents = residents[ObjectIdentifier(lane)] ?? []
            return stride(from: 0, to: residents.count, by: most).map { start in
                Visit(lane: lane, sessions: residents[start...].prefix(most))
            }
        }
    }

    /// Takes a short look at each session where it lives: one change of threads for many of a lane, not one for each.
    /// Returns what was found, by lane.
    func visit<Session: LaneResident, Value: Sendable>(
        _ sessions: some Sequence<Session>,
        _ look: @Sendable (isolated Session) -> Value
    ) async -> [(session: Session, found: Value)] {
        var found: [(session: Session, found: Value)] = []
        for visit in visits(to: sessions) { found += await visit.lane.visit(visit.sessions, look) }
        return found
    }

    /// Serves sessions until the task is cancelled.
    func run(with scheduler: SessionScheduler) async {
        await withDiscardingTaskGroup { group in
            for lane in all { group.addTask { await lane.run(with: scheduler) } }
        }
    }
}

/// Runs jobs one after the other on a system queue, off the cooperative pool: the executor of sessions that were given no
/// other or are of people in many at once, and of work that must not hold them up.
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// An executor whose queue debuggers show by this label.
    package init(label: String = "promised-sessions") { queue = DispatchQueue(label: label) }

    /// Runs a job after those before it.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
