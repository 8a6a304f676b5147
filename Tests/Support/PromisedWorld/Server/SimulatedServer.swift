internal import Logging
internal import PromisedAccess
internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedSettings
internal import PromisedStore

/// One run of a server, from its start to the death of its process: the real acts, engine and store.
final class SimulatedServer: Sendable {
    let clock: VirtualClock
    let switchboard: Switchboard
    let disk: SimulatedDisk
    let database: SimulatedStore
    let acts: ServerActs
    private let archive: StoreArchive
    private let engine: Engine
    private let dispatcher: NotificationDispatcher
    private let hasErrands: Bool
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
        clock = VirtualClock(timeline)
        self.disk = disk
        hasErrands = story.hasErrands
        database = try SimulatedStore(image, disk: disk)
        let store = database.store
        let cards = UserCardCache()
        let notifications = NotificationQueue(clock: clock)
        switchboard = Switchboard(notifications: notifications)
        archive = StoreArchive(
            store: store,
            cards: cards,
            interval: .seconds(5),
            clock: clock.elapsed,
            fixLimits: FixLimits(),
            passengers: [.visits(ArrivalVisits(zone: { _ in .utc }, random: random))],
            log: .silent
        )
        engine = Engine(
            archive: archive,
            announcer: switchboard,
            directory: switchboard,
            clock: clock,
            log: .silent,
            executors: [WorldExecutor.shared],
            collectionClock: clock.collectionClock
        )
        dispatcher = NotificationDispatcher(
            queue: notifications,
            store: store,
            news: switchboard,
            leases: switchboard,
            clock: clock,
            log: .silent
        )
        let sessions = PromiseSessions(store: store, registry: engine.registry, cards: cards)
        acts = await ServerActs(
            store: store,
            sessions: sessions,
            engine: engine,
            archive: archive,
            switchboard: switchboard,
            notifications: notifications,
            errands: { [clock, engine, archive, switchboard] promises in
                ErrandActs(
                    store: store,
                    engine: engine,
                    archive: archive,
                    promises: promises,
                    news: switchboard,
                    notifications: notifications,
                    vault: SimulatedVault(shelf: shelf, clock: clock),
                    weather: { [sky] places in
                        guard story.hasWeather else { return nil }
                        return WeatherActs(
                            sky: sky,
                            sessions: sessions,
                            places: places,
                            switchboard: switchboard,
                            notifications: notifications,
                            clock: clock,
                            random: random
                        )
                    },
                    clock: clock,
                    random: random
                )
            },
            clock: clock,
            random: random,
            spans: WindowSpans(story.spans)
        )
    }

    /// Serves until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.engine.run() }
            group.addTask { await self.archive.run() }
            group.addTask { await self.dispatcher.run() }
            group.addTask { await self.acts.finishDeletions() }
            if self.hasErrands { group.addTask { await self.acts.runErrands() } }
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

extension WindowSpans {
    init(_ spans: Story.Spans) {
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
