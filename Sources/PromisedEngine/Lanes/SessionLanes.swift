internal import Dispatch
internal import PromisedDomain

/// The lanes of all executors that sessions live on. Each session sends its collected positions a fixed time after the
/// first report of a collection (docs/protocol.md#reporting-slots).
final class SessionLanes: Sendable {
    private let lanes: [SessionLane]
    /// The lane for sessions of heavy users; nil: the other lanes hold them.
    private let heavyUsers: SessionLane?
    private let all: [SessionLane]

    /// Creates lanes whose sessions send `delay` after they are added, one per executor; at least one executor.
    init(
        delay: Duration,
        executors: [any SerialExecutor],
        heavyUsers: (any SerialExecutor)? = nil,
        clock: CollectionClock = .real
    ) {
        lanes = executors.map { SessionLane(on: $0, delay: delay, clock: clock) }
        self.heavyUsers = heavyUsers.map { SessionLane(on: $0, delay: delay, clock: clock) }
        all = lanes + (self.heavyUsers.map { [$0] } ?? [])
    }

    func lane(of id: PromiseID, hasHeavyUser: Bool) -> SessionLane {
        if hasHeavyUser, let heavyUsers { return heavyUsers }
        return lanes[Int(truncatingIfNeeded: id.low % UInt64(lanes.count))]
    }

    /// The number of lanes, without the lane of heavy users.
    var count: Int { lanes.count }

    /// Changes the slots in which sessions' members report.
    func follow(_ grid: ReportingGrid) async {
        for lane in all { await lane.follow(grid) }
    }

    /// The most sessions visited without suspension: the executor has other work, too.
    static let visitLimit = 64

    /// Sessions of one lane that are visited together.
    struct Visit<Session: LaneResident>: Sendable {
        let lane: SessionLane
        let sessions: ArraySlice<Session>
    }

    /// The sessions grouped by lane, in parts of at most `most`.
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

    /// Runs a short read on each session on its executor: one thread switch per visit, not per session. Returns the
    /// results by lane.
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

/// Runs jobs one after the other on a system queue, off the cooperative pool. The default executor of sessions, the
/// executor of the lane of heavy users, and of work that must not delay sessions.
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Creates an executor; debuggers show its queue by this label.
    package init(label: String = "promised-sessions") { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
