public import Logging
public import PromisedDomain

/// The live part of the server: sessions, their clock and their collections.
public struct Engine: Sendable {
    /// The sessions that are alive.
    public let registry: SessionRegistry
    private let scheduler: SessionScheduler
    private let collector: PositionCollector
    private let archive: any PromiseArchive

    /// An engine over its ports. Nothing happens before ``run()``, except that sessions are loaded on demand.
    public init(
        archive: any PromiseArchive,
        outbox: any Outbox,
        directory: any Directory,
        clock: any WallClock,
        settings: EngineSettings = EngineSettings(),
        log: Logger
    ) async {
        self.archive = archive
        collector = PositionCollector(delay: settings.collection(rate: clock.rate))
        scheduler = SessionScheduler(clock: clock, settings: settings, log: log)
        registry = SessionRegistry()
        await registry.attach(
            EngineContext(
                archive: archive,
                outbox: outbox,
                directory: directory,
                clock: clock,
                settings: settings,
                log: log,
                collector: collector,
                scheduler: scheduler,
                registry: registry
            )
        )
    }

    /// Takes note of a promise that was just created.
    public func noteOpening(at instant: Instant) async {
        await scheduler.noteOpening(at: instant)
    }

    /// Finishes what is overdue, restores what is running, then serves until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await collector.run() }
            group.addTask { await scheduler.run(registry: registry, archive: archive) }
        }
    }
}
