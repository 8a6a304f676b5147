internal import Logging
internal import PromisedAccess
internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedJournal
internal import PromisedPlaces
internal import PromisedSettings
internal import PromisedStore

/// One run of a server, from its start to the death of its process: the real acts, engine and store.
final class SimulatedServer: Sendable {
    let clock: VirtualClock
    let switchboard: Switchboard
    let disk: SimulatedDisk
    let database: SimulatedStore
    let acts: ServerActs
    private let application: Application
    private let story: Story
    /// The pending requests of each connection; the first one is being answered.
    private let queues = Guarded<[ConnectionNumber: [Request]]>([:])

    /// Creates a server from an image; it is idle before ``run()``.
    ///
    /// - Parameters:
    ///   - random: makes ids and codes.
    ///   - shelf: stores the bytes of files.
    ///   - sky: answers requests for the weather.
    init(
        _ image: DatabaseImage,
        on timeline: any Timeline,
        story: Story,
        random: RandomSource,
        disk: SimulatedDisk,
        shelf: VaultShelf,
        sky: SimulatedSky
    ) async throws(StoreError) {
        (clock, self.disk, self.story) = (VirtualClock(timeline), disk, story)
        database = try SimulatedStore(image, disk: disk)
        let notifications = NotificationQueue(clock: clock)
        switchboard = Switchboard(notifications: notifications)
        var generator = random
        let key = SigningKey(using: &generator)
        application = await Application(
            ApplicationPorts(
                store: database.store,
                storage: SimulatedVault(shelf: shelf, clock: clock),
                connections: ConnectionPorts(
                    news: switchboard,
                    leases: switchboard,
                    notifications: notifications
                ),
                clock: clock,
                random: random,
                key: key,
                weather: story.hasWeather ? WeatherSetup(asking: sky, on: clock) : .off,
                zones: Self.zones,
                execution: Execution(on: clock),
                settings: ServerSettings(story),
                log: .silent
            )
        )
        acts = ServerActs(application, key: key, switchboard: switchboard, clock: clock)
    }

    /// Reading a zone takes longer than most stories.
    private static let zones = TimeZones(years: 2_026...2_027)

    /// The jobs of a story. The others delete and end only what is older than a story.
    private var jobs: [Job] {
        var names: Set = ["sessions", "positions", "notifications", "deletions"]
        guard story.hasErrands else { return application.jobs.filter { names.contains($0.name) } }
        names.formUnion(["places", "exports"])
        if story.hasWeather { names.formUnion(["weather", "weather ahead"]) }
        let sweep = Job("files", .oneNode, every: .seconds(600), of: clock.elapsed) {
            [files = application.core.files] in
            // A later sweep removes what a faulty disk leaves.
            try? await files.deletions.sweep()
        }
        return application.jobs.filter { names.contains($0.name) } + [sweep]
    }

    /// Serves until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for job in jobs { group.addTask { await job.run() } }
        }
    }

    /// Ends everything at once: uncommitted data is lost, and nothing more is sent.
    ///
    /// - Returns: the committed data.
    func die() throws(StoreError) -> DatabaseImage {
        switchboard.die()
        clock.die()
        return try database.close()
    }

    // MARK: - Connections

    func disconnect(_ connection: ConnectionNumber) async {
        guard let userID = switchboard.disconnect(connection) else { return }
        await acts.noteEnd(of: connection, userID)
    }

    /// Queues a request: those of a connection are answered one after the other.
    ///
    /// - Returns: `true` if the caller must ``serve(_:)`` the connection now.
    func take(_ request: Request) -> Bool {
        queues.withLock { queues in
            queues[request.connection, default: []].append(request)
            return queues[request.connection]?.count == 1
        }
    }

    /// Answers the requests of a connection until its queue is empty.
    func serve(_ connection: ConnectionNumber) async {
        while let request = queues.withLock({ $0[connection]?.first }) {
            if let userID = switchboard.user(of: connection) {
                if let answer = await acts.answer(to: request, of: userID) {
                    switchboard.put(.answer(answer, to: request, from: userID))
                }
            }
            queues.withLock { queues in
                queues[connection]?.removeFirst()
                if queues[connection]?.isEmpty == true { queues[connection] = nil }
            }
        }
    }
}

extension Execution {
    /// All work on the one executor of the process, and all time by a clock.
    fileprivate init(on clock: VirtualClock) {
        self.init()
        (work, exports, sessions) = (.calling, WorldExecutor.shared, [WorldExecutor.shared])
        (collection, pauses, realNow) = (clock.collectionClock, clock.elapsed, { clock.realNow })
    }
}

extension ServerSettings {
    /// The settings of a story's server.
    fileprivate init(_ story: Story) {
        self.init()
        window = WindowSpans(story.spans)
        writeBehind = .seconds(5)
        passwords.cost = .cheap
        (files.perUser, files.keepFree) = (Int(ErrandActs.space.perUser), Int(ErrandActs.space.keepFree))
        // Throttles measure real time, which a simulation does not have.
        (throttle.find, throttle.promises, throttle.wrongCodes) = (1_000_000, 1_000_000, 1_000_000)
        // Forecasts expire within a story, and some stories exhaust the budget.
        (weather.refresh, weather.dailyRequests) = (.minutes(8), 12)
    }
}

extension WindowSpans {
    fileprivate init(_ spans: Story.Spans) {
        self.init(
            before: .milliseconds(spans.before * 1_000),
            after: .milliseconds(spans.after * 1_000),
            settle: .milliseconds(spans.settle * 1_000)
        )
    }
}

extension Logger {
    static var silent: Logger { Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() } }
}
