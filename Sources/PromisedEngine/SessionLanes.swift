internal import PromisedDomain

/// The lanes of all executors that sessions live on. Has each session send its collected positions a fixed time after the
/// first report of a collection (protocol §6).
final class SessionLanes: Sendable {
    private let lanes: [SessionLane]

    /// Lanes whose sessions send `delay` after they were added; they live on these executors, at least one.
    init(delay: Duration, executors: [any SerialExecutor]) {
        lanes = executors.map { SessionLane(on: $0, delay: delay) }
    }

    /// The lane of a promise's session, and so where that lives.
    subscript(id: PromiseID) -> SessionLane { lanes[Int(truncatingIfNeeded: id.low % UInt64(lanes.count))] }

    /// Serves sessions until the task is cancelled.
    func run(with scheduler: SessionScheduler) async {
        await withDiscardingTaskGroup { group in
            for lane in lanes {
                group.addTask { await lane.run(with: scheduler) }
            }
        }
    }
}
