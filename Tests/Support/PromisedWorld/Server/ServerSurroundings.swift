internal import CoreMetrics
internal import Logging
internal import PromisedAccess
internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedGateway
internal import PromisedJournal
internal import PromisedPlaces
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedStore

/// Everything around a server that outlives its process.
struct ServerSurroundings: Sendable {
    /// The disk of the database: each read and each write takes time.
    let disk: SimulatedDisk
    let shelf: VaultShelf
    /// The weather, with its provider's replies.
    let sky: SimulatedSky

    /// The quota of a user's files: some stories exceed it.
    static let space = FileSpace(perUser: 12_000, keepFree: 0)
    /// Reading a zone takes longer than most stories.
    private static let zones = TimeZones(years: 2_026...2_027)

    /// The ports of an application whose work runs on the one executor of the process, by a clock.
    func ports(
        of story: Story,
        _ store: Store,
        _ connections: ConnectionPorts,
        _ settings: ServerSettings,
        clock: VirtualClock,
        random: RandomSource
    ) -> ApplicationPorts {
        ApplicationPorts(
            store: store,
            storage: SimulatedVault(shelf: shelf, clock: clock),
            connections: connections,
            clock: clock,
            random: random,
            key: Passports.key,
            outside: OutsideAccounts(
                store: store,
                issuer: Passports.issuer(by: clock),
                subjectKey: SubjectKey(Passports.key),
                random: random
            ),
            weather: story.hasWeather ? WeatherSetup(asking: sky, on: clock) : .off,
            zones: Self.zones,
            execution: Execution(on: clock),
            settings: settings,
            log: .silent
        )
    }
}

extension Execution {
    fileprivate init(on clock: VirtualClock) {
        self.init()
        (work, exports, sessions) = (.calling, WorldExecutor.shared, [WorldExecutor.shared])
        (collection, pauses, realNow) = (clock.collectionClock, clock.elapsed, { clock.realNow })
    }
}

extension Peers {
    init(_ connections: SimulatedConnections, _ settings: ServerSettings, clock: VirtualClock) {
        let (limit, metrics) = (settings.limits.sentFrame, NOOPMetricsHandler.instance)
        self.init(connections, frameLimit: limit, clock: clock, metrics: metrics, log: .silent)
    }
}

extension Gateway {
    convenience init(
        _ peers: Peers,
        _ application: Application,
        _ settings: ServerSettings,
        clock: VirtualClock,
        random: RandomSource
    ) {
        self.init(
            peers,
            application,
            process: SimulatedHost(),
            settings: settings,
            clock: clock,
            random: random,
            pauses: clock.elapsed,
            metrics: NOOPMetricsHandler.instance,
            log: .silent
        )
    }
}

extension Application {
    /// The jobs of a story. The others delete and end only what is older than a story.
    func jobs(of story: Story, _ peers: Peers, clock: VirtualClock) -> [Job] {
        var names: Set = ["sessions", "positions", "notifications", "deletions"]
        if story.hasErrands { names.formUnion(["places", "exports"]) }
        if story.hasWeather { names.formUnion(["weather", "weather ahead"]) }
        let sweep = Job("files", .oneNode, every: .seconds(600), of: clock.elapsed) { [files = core.files] in
            // A later sweep removes what a faulty disk leaves.
            try? await files.deletions.sweep()
        }
        let statistics = Job("statistics", .everyNode) { [store = core.store] in
            let news = peers.broadcaster
            await peers.statistics.run(store: store, connections: news, news: news, log: .silent)
        }
        return jobs.filter { names.contains($0.name) } + [statistics] + (story.hasErrands ? [sweep] : [])
    }
}

extension ServerSettings {
    /// The settings of a story's server.
    init(_ story: Story) {
        self.init()
        window = WindowSpans(
            before: .milliseconds(story.spans.before * 1_000),
            after: .milliseconds(story.spans.after * 1_000),
            settle: .milliseconds(story.spans.settle * 1_000)
        )
        writeBehind = .seconds(5)
        passwords.cost = .cheap
        let space = ServerSurroundings.space
        (files.perUser, files.keepFree) = (Int(space.perUser), Int(space.keepFree))
        // Throttles measure real time, which a simulation does not have.
        (throttle.find, throttle.promises, throttle.wrongCodes) = (1_000_000, 1_000_000, 1_000_000)
        // Forecasts expire within a story, and some stories exhaust the budget.
        (weather.refresh, weather.dailyRequests) = (.minutes(8), 12)
    }
}

/// A process of which administrators see nothing.
private struct SimulatedHost: HostProcess {
    let version = "simulation"
    let residentBytes = 0

    func checks() async -> [WireAdminHealthCheck] { [] }
}

extension Logger {
    static var silent: Logger { Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() } }
}
