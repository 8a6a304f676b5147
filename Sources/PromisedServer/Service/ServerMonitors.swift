internal import PromisedApplication
internal import PromisedEngine
internal import PromisedGateway
internal import PromisedSettings
internal import PromisedStore
internal import PromisedTransport

/// Watches the storage, the connections and the process of a server, beside its application.
struct ServerMonitors: Sendable {
    let readiness: Readiness
    let integrity: IntegrityWatch
    let sampler: MetricsSampler
    private let storage: StorageWatch

    init(
        _ application: Application,
        _ connections: Connections,
        _ context: ServerContext,
        readiness: Readiness
    ) {
        let store = application.core.store
        self.readiness = readiness
        integrity = IntegrityWatch(store, log: context.log)
        sampler = MetricsSampler(
            context.metrics,
            engine: application.core.engine,
            store: store,
            connections: connections,
            readiness: readiness
        )
        storage = StorageWatch(store: store.upkeep, readiness: readiness, log: context.log)
    }

    /// The monitors' work, with the reason for each scope.
    var jobs: [Job] {
        [
            // Each node is ready or not.
            Job("storage", .everyNode, every: StorageWatch.interval) { await storage.check() },
            // Each node keeps the result for its health check.
            Job("integrity", .everyNode) { await integrity.run() },
            // The gauges of this node's page.
            Job("metrics", .everyNode) { await sampler.run() },
            // The free memory of this process.
            Job("memory", .everyNode, every: .seconds(60)) { ProcessMemory.giveBack() },
        ]
    }
}
