/// Has each session send its collected positions a fixed time after the first report of a collection (protocol §6).
final class PositionCollector: Sendable {
    private let lanes: [CollectionLane]

    /// A collector that has sessions send `delay` after they were added; they live on these executors.
    init(delay: Duration, executors: [any SerialExecutor]) {
        lanes = executors.map { CollectionLane(on: $0, delay: delay) }
    }

    /// Asks for the session's positions to be sent. Called on the session, which must not be added again until they were.
    func add(_ session: PromiseSession) {
        guard let lane = lanes.first(where: { $0.executor === session.executor }) else { return }
        lane.assumeIsolated { $0.add(session) }
    }

    /// Serves sessions until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for lane in lanes {
                group.addTask { await lane.run() }
            }
        }
    }
}
