import Logging
import Metrics
import PromisedAccess
import PromisedConcurrency
import PromisedDomain
import PromisedEngine
import PromisedPlaces
import PromisedSettings
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication
@testable import PromisedOutside

/// The use cases for promises over a store that counts its transactions, on a clock that a test moves; users 1 to 9
/// have accounts.
struct LookingWorld: Sendable {
    static let start = Instant.meeting - .days(30)

    let store: Store
    let clock: ManualClock
    let cards: UserCardCache
    let announcer: RecordingAnnouncer
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

    private init(_ store: Store, _ counted: Guarded<Int>, _ clock: ManualClock) async {
        self.store = store
        self.counted = counted
        self.clock = clock
        let news = RecordedNews(queue: NotificationQueue(clock: clock))
        let application = await Application.tested(over: store, at: clock, telling: news) { settings in
            settings.positionRetention = .days(30)
            settings.places.mapLinks = []
        }
        announcer = news.announcer
        (archive, engine, sessions) = (application.core.archive, application.core.engine, application.core.sessions)
        cards = sessions.cards
        (promises, results) = (application.meetups.promises, application.meetups.results)
        administration = application.meetups.administration
        (texts, outlooks) = (application.places.shareTexts, application.places.weather.outlooks)
        friendships = application.people.friendships
    }

    /// Runs a test in a new world, and checks all invariants of its store in the end.
    static func run(_ body: (LookingWorld) async throws -> Void) async throws {
        let (directory, counted) = (TemporaryDirectory(), Guarded(0))
        let store = try await Store.open(directory: directory.path) { _ in counted.withLock { $0 += 1 } }
        for number in UInt64(1)...9 { try #require(try await store.accounts.createUser(.sample(number)) == .created) }
        try await body(await LookingWorld(store, counted, ManualClock(now: start)))
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    /// The world after a restart of the server: without sessions.
    var restarted: LookingWorld { get async { await LookingWorld(store, counted, clock) } }

    /// How many transactions have written so far.
    var commits: Int { counted.withLock { $0 } }

    /// The number of live sessions.
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
