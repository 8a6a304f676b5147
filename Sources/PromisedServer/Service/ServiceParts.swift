internal import Logging
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedGateway
internal import PromisedSettings
internal import PromisedStore

/// The parts that all requests share: storage, connections, sessions, and the links between them.
struct ServiceParts: Sendable {
    let settings: ServerSettings
    let clock: any WallClock
    let random: RandomSource
    let log: Logger
    let store: Store
    let cards = UserCardCache()
    let readiness = Readiness()
    let integrity: IntegrityWatch
    let statistics = StatisticsNews()
    let notifications: NotificationQueue
    let files: Files
    let zones: TimeZones
    let peers: Peers
    let archive: StoreArchive
    let engine: Engine
    let sessions: PromiseSessions

    /// Everything around an open store, not yet running.
    init(
        _ settings: ServerSettings,
        store: Store,
        outlet: any Outlet,
        clock: any WallClock,
        random: RandomSource,
        executors: [any SerialExecutor],
        metrics: MetricRegistry,
        log: Logger
    ) async {
        self.settings = settings
        self.store = store
        integrity = IntegrityWatch(store, log: log)
        self.clock = clock
        self.random = random
        self.log = log
        zones = TimeZones(around: clock.now)
        files = Files(
            store: store,
            vault: DirectoryVault(path: settings.dataDirectory + "/files"),
            space: FileSpace(perUser: Int64(settings.files.perUser), keepFree: Int64(settings.files.keepFree)),
            clock: RealTime.clock(beside: clock),
            random: random,
            metrics: metrics,
            log: log
        )
        notifications = NotificationQueue(clock: clock, metrics: metrics)
        peers = Peers(
            outlet,
            frameLimit: settings.limits.sentFrame,
            cards: cards,
            statistics: statistics,
            notifications: notifications,
            clock: clock,
            metrics: metrics,
            log: log
        )
        archive = StoreArchive(
            store: store,
            cards: cards,
            interval: ServiceParts.writeBehind(settings),
            fixLimits: settings.limits.fixes,
            passengers: [
                .visits(ServiceParts.visits(settings, zones), news: peers.broadcaster, notifications: notifications)
            ],
            log: log
        )
        engine = Engine(
            archive: archive,
            announcer: peers.broadcaster,
            directory: peers.broadcaster,
            clock: clock,
            settings: EngineSettings(
                reportInterval: settings.report.interval,
                collection: settings.report.collection.duration,
                idleFor: max(.minutes(1), .seconds(5 * clock.rate)),
                wakeRound: .milliseconds(Int64((20 * clock.rate).rounded())),
                wakeNotice: .seconds((1 + 2 * settings.report.collection.seconds) * clock.rate),
                fixLimits: settings.limits.fixes
            ),
            log: log,
            executors: executors,
            crowdExecutor: QueueExecutor(label: "promised-crowd"),
            metrics: metrics
        )
        sessions = PromiseSessions(store: store, registry: engine.registry, cards: cards)
    }

    /// The visits of arrivals, dated by the time zones of places and users.
    private static func visits(_ settings: ServerSettings, _ zones: TimeZones) -> ArrivalVisits {
        ArrivalVisits(
            zone: { zones.offsets(of: $0) },
            holidays: settings.places.holidays,
            weatherSources: settings.weather.providers
        )
    }

    /// At least every 100 ms on a scaled clock, because more happens in the same time.
    private static func writeBehind(_ settings: ServerSettings) -> Duration {
        let configured = settings.writeBehind.duration
        return settings.clock.rate > 1 ? min(configured, .milliseconds(100)) : configured
    }
}
