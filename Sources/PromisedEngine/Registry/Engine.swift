package import CoreMetrics
package import Logging
package import PromisedDomain

/// The live part of the server: sessions, their clock and their collections.
package struct Engine: Sendable {
    package let registry: SessionRegistry
    private let scheduler: SessionScheduler
    private let lanes: SessionLanes
    private let archive: any PromiseArchive

    /// Creates an engine over its ports. Until ``run()`` it only loads sessions on demand.
    ///
    /// - Parameters:
    ///   - executors: the executors of sessions, chosen by id; by default one system queue. If requests arrive on a
    ///     session's executor, a report needs no thread switch (``PromiseSession/isHere``).
    ///   - heavyUsers: the executor of further sessions of heavy users (``EngineSettings/heavyUserPromises``); nil:
    ///     `executors`.
    ///   - collectionClock: measures collections; the real one outside simulations.
    ///   - metrics: makes its counters; none by default.
    package init(
        archive: any PromiseArchive,
        announcer: any Announcer,
        connections: any ConnectionIndex,
        clock: any WallClock,
        settings: EngineSettings = EngineSettings(),
        log: Logger,
        executors: [any SerialExecutor] = [],
        heavyUsers: (any SerialExecutor)? = nil,
        collectionClock: CollectionClock = .real,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance
    ) {
        let metrics = EngineMetrics(metrics)
        self.archive = archive
        lanes = SessionLanes(
            delay: settings.collection(rate: clock.rate),
            executors: executors.isEmpty ? [QueueExecutor()] : executors,
            heavyUsers: heavyUsers,
            clock: collectionClock
        )
        scheduler = SessionScheduler(clock: clock, settings: settings, log: log, metrics: metrics)
        registry = SessionRegistry(
            EngineContext(
                archive: archive,
                announcer: announcer,
                connections: connections,
                clock: clock,
                settings: settings,
                log: log,
                metrics: metrics,
                lanes: lanes,
                scheduler: scheduler
            )
        )
    }

    /// Records the opening of a promise that was just created.
    package func noteOpening(at instant: Instant) async { await scheduler.noteOpening(at: instant) }

    /// Counts the live sessions and their wakes; queries each session in turn.
    package func census() async -> EngineCensus {
        var census = await scheduler.census()
        census.sessions = await registry.census()
        return census
    }

    /// Handles what is overdue, restores running sessions, then serves until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await lanes.run(with: scheduler) }
            group.addTask { await scheduler.run(sessions: registry, archive: archive) }
        }
    }
}
