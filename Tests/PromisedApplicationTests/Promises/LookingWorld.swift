import Logging
import Metrics
import PromisedAccess
import PromisedConcurrency
import PromisedDomain
import PromisedEngine
import PromisedSettings
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication
@testable import PromisedOutside

/// Acts on promises over a store that counts its transactions, on a clock that a test moves; users 1 to 9 have accounts.
struct LookingWorld: Sendable {
    static let start = Instant.meeting - .days(30)

    let store: Store
    let clock: ManualClock
    let cards = UserCardCache()
    let announcer = RecordingAnnouncer()
    let archive: StoreArchive
    let engine: Engine
    let sessions: PromiseSessions
    let promises: Promises
    let results: Results
    let texts: ShareTexts
    let outlooks: Outlooks
    let administration: PromiseAdministration
    let friendships: Friendships
    private let counted: Guarded<Int>

    private init(_ store: Store, _ counted: Guarded<Int>, _ clock: ManualClock) {
        self.store = store
        self.counted = counted
        self.clock = clock
        archive = StoreArchive(
            store: store,
            cards: cards,
            interval: .seconds(60),
            fixLimits: FixLimits(),
            log: .silent
        )
        engine = Engine(archive: archive, announcer: announcer, directory: announcer, clock: clock, log: .silent)
        sessions = PromiseSessions(store: store, registry: engine.registry, cards: cards)
        let throttles = AccountThrottles(ServerSettings().throttle)
        promises = Promises(
            sessions: sessions,
            engine: engine,
            announcer: announcer,
            throttles: throttles,
            clock: clock,
            random: .system,
            spans: WindowSpans()
        )
        results = Results(
            sessions: sessions,
            archive: archive,
            throttles: throttles,
            clock: clock,
            retention: .days(30)
        )
        let openings = PlaceOpenings(zones: TimeZones(around: clock.now), defaultZone: "UTC", holidays: .empty)
        texts = ShareTexts(sessions: sessions, openings: openings, maps: [], clock: clock)
        outlooks = LookingWorld.weather(store, sessions, clock).outlooks
        administration = PromiseAdministration(sessions: sessions, promises: promises, results: results)
        friendships = Friendships(
            store: store,
            notifier: SilentNotifier(),
            notifications: NotificationQueue(clock: clock),
            throttles: throttles
        ) { [registry = engine.registry] one, other in await registry.refreshBlocks(between: one, and: other) }
    }

    /// The weather, switched off.
    private static func weather(_ store: Store, _ sessions: PromiseSessions, _ clock: ManualClock) -> Weather {
        let (sky, ends) = (ScriptedSky(), FetchEnds())
        return Weather(
            WeatherSurroundings(
                providers: [],
                air: nil,
                archive: StoreWeatherArchive(store, at: clock.now, random: .system),
                fetcher: sky,
                audience: ends,
                clock: WeatherClock(now: { clock.now }, pause: { _ in })
            ),
            ends: ends,
            settings: ServerSettings().weather,
            sessions: sessions,
            places: FixedPlaces(),
            listener: RecordingListener(),
            clock: clock,
            random: .system,
            metrics: NOOPMetricsHandler.instance,
            log: .silent
        )
    }

    /// Runs a test in a new world, and checks all invariants of its store in the end.
    static func run(_ body: (LookingWorld) async throws -> Void) async throws {
        let (directory, counted) = (TemporaryDirectory(), Guarded(0))
        let store = try await Store.open(directory: directory.path) { _ in counted.withLock { $0 += 1 } }
        for number in UInt64(1)...9 { try #require(try await store.accounts.createUser(.sample(number)) == .created) }
        try await body(LookingWorld(store, counted, ManualClock(now: start)))
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    /// The world as it is after the server has started anew: without sessions.
    var restarted: LookingWorld { LookingWorld(store, counted, clock) }

    /// How many transactions have written so far.
    var commits: Int { counted.withLock { $0 } }

    /// How many sessions are live.
    var liveCount: Int { get async { await engine.registry.count } }

    /// Creates a promise of user 1 that meets at ``Instant/meeting``, to which these users are invited.
    func create(inviting users: [UserID] = [], key: String = "key") async throws -> PromiseID {
        for user in users {
            _ = try await store.friendships.changeFriendship(between: .user(1), and: user, at: clock.now) { pair, _ in
                pair.state = .friends
            }
        }
        let draft = try PromiseDraft(
            key: key,
            title: "Tea",
            note: "",
            place: Place(name: "The pier", coordinate: .meetingPlace),
            meetsAt: .meeting,
            radiusMetres: nil,
            penalty: nil,
            rule: ArrivalRule(),
            inviteeIDs: users,
            by: .user(1),
            spans: promises.spans
        )
        return try await promises.create(draft, by: .user(1), at: clock.now).view.promise.id
    }

    /// Feeds an event to the promise's session, which then reads all blocks; a refusal changes nothing.
    func perform(_ event: SessionEvent, on id: PromiseID) async throws {
        try await engine.registry.withSession(of: id) { session throws(EngineError) in
            do throws(EngineError) {
                _ = try await session.perform(event)
            } catch .refused {
                // Random events are refused now and then.
            }
            try await session.refreshBlocks()
        }
    }

    /// Moves the clock past the end of a promise, even if that was moved by ten minutes, and lets its session write the result.
    func finish(_ id: PromiseID) async throws {
        clock.advance(to: Promise.sample().settlesAt + .minutes(15))
        try await perform(.wake, on: id)
    }
}

private struct SilentNotifier: Notifier {
    func tell(_ userID: UserID, _ notice: Notice) {}
}
