internal import PromisedDomain

/// Has each session send its collected positions a fixed time after the first report of a collection (protocol §6).
final class PositionCollector: Sendable {
    private let lanes: [CollectionLane]

    /// A collector that has sessions send `delay` after they were added; they live on these executors, at least one.
    init(delay: Duration, executors: [any SerialExecutor]) {
        lanes = executors.map { CollectionLane(on: $0, delay: delay) }
    }

    /// The lane of a promise's session, and so where that lives.
    func lane(of id: PromiseID) -> CollectionLane { lanes[Int(truncatingIfNeeded: id.low % UInt64(lanes.count))] }

    /// Serves sessions until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for lane in lanes {
                group.addTask { await lane.run() }
            }
        }
    }
}
