package import CoreMetrics
package import Logging
package import PromisedDomain

/// The live part of the server: sessions, their clock and their collections.
package struct Engine: Sendable {
    /// The sessions that are alive.
    package let registry: SessionRegistry
    private let scheduler: SessionScheduler
    private let lanes: SessionLanes
    private let archive: any PromiseArchive

    /// An engine over its ports. It does nothing before ``run()``, except load sessions on demand.
    ///
    /// - Parameters:
    ///   - executors: where sessions live, each on one of them by its id; by default on a queue of the system. An executor
    ///     on which what comes in arrives spares each report a change of threads (``PromiseSession/isHere``).
    ///   - crowdExecutor: where the further sessions of people live who are in more than sixteen; nil: with the others.
    ///   - collectionClock: measures collections; the real one outside simulations.
    ///   - metrics: makes its counters; none by default.
    package init(
        archive: any PromiseArchive,
        announcer: any Announcer,
        directory: any Directory,
        clock: any WallClock,
        settings: EngineSettings = EngineSettings(),
        log: Logger,
        executors: [any SerialExecutor] = [],
        crowdExecutor: (any SerialExecutor)? = nil,
        collectionClock: CollectionClock = .real,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance
    ) {
        let metrics = EngineMetrics(metrics)
        self.archive = archive
        lanes = SessionLanes(
            delay: settings.collection(rate: clock.rate),
            executors: executors.isEmpty ? [QueueExecutor()] : executors,
            crowd: crowdExecutor,
            clock: collectionClock
        )
        scheduler = SessionScheduler(clock: clock, settings: settings, log: log, metrics: metrics)
        registry = SessionRegistry(
            EngineContext(
                archive: archive,
                announcer: announcer,
                directory: directory,
                clock: clock,
                settings: settings,
                log: log,
                metrics: metrics,
                lanes: lanes,
                scheduler: scheduler
            )
        )
    }

    /// Notes a promise that was just created.
    package func noteOpening(at instant: Instant) async { await scheduler.noteOpening(at: instant) }

    /// Counts the live sessions and their waits; asks each session in turn.
    package func census() async -> EngineCensus {
        var census = await scheduler.census()
        census.sessions = await registry.census()
        return census
    }

    /// Works off what is overdue, restores running sessions, then serves until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await lanes.run(with: scheduler) }
            group.addTask { await scheduler.run(sessions: registry, archive: archive) }
        }
    }
}
