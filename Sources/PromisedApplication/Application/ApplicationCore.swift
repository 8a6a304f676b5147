package import PromisedAccess
internal import PromisedDomain
package import PromisedEngine
internal import PromisedJournal
internal import PromisedSettings
package import PromisedStore

/// The parts that use cases of several subjects share: files, sessions, and the limits on attempts.
package struct ApplicationCore: Sendable {
    package let store: Store
    package let files: Files
    package let archive: StoreArchive
    package let engine: Engine
    package let sessions: PromiseSessions
    /// Wrong codes of sign-ins and view links, counted together.
    package let codeAttempts: CodeAttempts
    let throttles: AccountThrottles
    let openings: PlaceOpenings

    init(_ ports: ApplicationPorts) {
        store = ports.store
        files = Files(ports)
        archive = StoreArchive(ports)
        engine = Engine(ports, archive)
        sessions = PromiseSessions(store: ports.store, registry: engine.registry, cards: ports.connections.cards)
        codeAttempts = CodeAttempts(ports.settings.throttle)
        throttles = AccountThrottles(ports.settings.throttle)
        openings = PlaceOpenings(
            zones: ports.zones,
            defaultZone: ports.settings.places.timeZone,
            holidays: ports.settings.places.holidays
        )
    }
}

extension Files {
    fileprivate init(_ ports: ApplicationPorts) {
        let settings = ports.settings.files
        self.init(
            store: ports.store,
            storage: ports.storage,
            space: FileSpace(perUser: Int64(settings.perUser), keepFree: Int64(settings.keepFree)),
            clock: RealTime.clock(beside: ports.clock),
            random: ports.random,
            metrics: ports.metrics,
            on: ports.execution.work,
            log: ports.log
        )
    }
}

extension StoreArchive {
    fileprivate convenience init(_ ports: ApplicationPorts) {
        let settings = ports.settings
        self.init(
            store: ports.store,
            cards: ports.connections.cards,
            interval: settings.positionInterval,
            clock: ports.execution.pauses,
            fixLimits: settings.limits.fixes,
            passengers: [
                .visits(
                    ArrivalVisits(ports),
                    news: ports.connections.news,
                    notifications: ports.connections.notifications
                )
            ],
            log: ports.log
        )
    }
}

extension ArrivalVisits {
    fileprivate init(_ ports: ApplicationPorts) {
        self.init(
            zone: { [zones = ports.zones] in zones.offsets(of: $0) },
            holidays: ports.settings.places.holidays,
            weatherSources: ports.settings.weather.providers,
            random: ports.random
        )
    }
}

extension Engine {
    fileprivate init(_ ports: ApplicationPorts, _ archive: StoreArchive) {
        let (execution, news) = (ports.execution, ports.connections.news)
        self.init(
            archive: archive,
            announcer: news,
            connections: news,
            clock: ports.clock,
            settings: EngineSettings(ports.settings, rate: ports.clock.rate),
            log: ports.log,
            executors: execution.sessions,
            heavyUsers: execution.heavyUsers,
            collectionClock: execution.collection,
            metrics: ports.metrics
        )
    }
}

extension EngineSettings {
    /// - Parameter rate: the rate of the server's clock.
    fileprivate init(_ settings: ServerSettings, rate: Double) {
        self.init(
            reportInterval: settings.report.interval,
            collection: settings.report.collection.duration,
            idleFor: max(.minutes(1), .seconds(5 * rate)),
            wakeRound: .milliseconds(Int64((20 * rate).rounded())),
            wakeNotice: .seconds((1 + 2 * settings.report.collection.seconds) * rate),
            fixLimits: settings.limits.fixes
        )
    }
}

extension ServerSettings {
    /// How long positions wait in memory: at most 100 ms on a scaled clock, because more happens in the same time.
    fileprivate var positionInterval: Duration {
        clock.rate > 1 ? min(writeBehind.duration, .milliseconds(100)) : writeBehind.duration
    }
}
