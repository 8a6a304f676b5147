import Foundation
import Logging
import Metrics
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

/// The weather of a server with a store on disk, sessions, a clock that the test moves, and a provider that the test writes.
final class WeatherWorld: Sendable {
    let clock: ManualClock
    let sky: ScriptedSky
    let listener = RecordingListener()
    private let queue: PromisedApplication.NotificationQueue
    let places = FixedPlaces()
    let store: Store
    let engine: Engine
    let announcer = RecordingAnnouncer()
    let weather: Weather
    let log = LogRecorder()
    /// An element for each caller that waits for a fetch.
    let waits: AsyncStream<Void>

    init(
        _ store: Store,
        at now: Instant,
        sky: ScriptedSky = ScriptedSky(),
        isOn: Bool = true,
        settings: ServerSettings.Weather = ServerSettings().weather
    ) {
        let clock = ManualClock(now: now)
        let (waits, wait) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(10_000))
        self.clock = clock
        self.sky = sky
        self.store = store
        self.waits = waits
        let logger = log.logger()
        let cards = UserCardCache()
        engine = Engine(
            archive: StoreArchive(
                store: store,
                cards: cards,
                interval: .seconds(5),
                fixLimits: FixLimits(),
                log: logger
            ),
            announcer: announcer,
            connections: announcer,
            clock: clock,
            log: logger
        )
        queue = PromisedApplication.NotificationQueue(clock: clock)
        let ends = FetchEnds()
        let number = Guarded<UInt64>(0)
        let random = RandomSource {
            number.withLock { number in
                number += 1
                return number
            }
        }
        weather = Weather(
            WeatherSurroundings(
                providers: isOn ? [sky] : [],
                air: nil,
                archive: StoreWeatherArchive(store, at: now, random: random),
                fetcher: sky,
                audience: ends,
                // All callers time out at once: a fetch held by the test is pending.
                clock: WeatherClock(now: { clock.now }, pause: { _ in wait.yield() })
            ),
            ends: ends,
            settings: settings,
            sessions: PromiseSessions(store: store, registry: engine.registry, cards: cards),
            places: places,
            news: listener,
            notifications: queue,
            clock: clock,
            random: random,
            metrics: NOOPMetricsHandler.instance,
            log: logger
        )
    }

    /// Runs the weather while `body` runs.
    func run<Value>(_ body: (WeatherWorld) async throws -> Value) async throws -> Value {
        let weather = weather
        // Both are cancelled and awaited below.
        let running = Task {
            async let ahead: Void = weather.fetchAhead()
            await weather.run()
            await ahead
        }
        let listening = Task { await noteTurns() }
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(self))
        } catch {
            outcome = .failure(error)
        }
        running.cancel()
        sky.release()
        await running.value
        listening.cancel()
        await listening.value
        return try outcome.get()
    }

    /// Records notifications of a turn, until the task is cancelled, and those that wait then.
    private func noteTurns() async {
        repeat {
            await queue.wait(until: clock.now + .days(3_650))
            for order in queue.take(1_000) {
                guard case .event(.raised(let notification)) = order.content,
                    case .weatherTurned(let id) = notification.topic
                else { continue }
                listener.news.note(.turned(id, order.userID))
            }
        } while !Task.isCancelled
    }
}

/// A provider with the same forecast for every cell and hour until the test changes it, and its HTTP client.
final class ScriptedSky: WeatherProvider, HTTPFetching {
    private struct State: Sendable {
        var condition = WeatherCondition.clear
        var temperature = 10.0
        var isBroken = false
        var gate: AsyncStream<Void>?
        var opener: AsyncStream<Void>.Continuation?
    }

    let source = WeatherSource.openMeteo
    private let state = Guarded(State())
    /// The requested cells, in order.
    let asked = Signals<WeatherCell>()

    /// Sets the weather of the next forecasts.
    func show(_ condition: WeatherCondition, temperature: Double = 10) {
        state.withLock { ($0.condition, $0.temperature) = (condition, temperature) }
    }

    /// Sets whether requests fail.
    func breakDown(_ isBroken: Bool) { state.withLock { $0.isBroken = isBroken } }

    /// Holds requests until ``release()``.
    func hold() { state.withLock { ($0.gate, $0.opener) = AsyncStream.makeStream(of: Void.self) } }

    /// Lets requests through.
    func release() { state.withLock { $0.opener?.finish() } }

    func forecast(
        of cell: WeatherCell,
        since modified: String?,
        at now: Instant,
        through fetcher: any HTTPFetching
    ) async throws(WeatherFailure) -> ProviderAnswer<ForecastHour> {
        do {
            let address = try OutsideURL("https://sky.example")
            _ = try await fetcher.fetch(OutsideRequest(address, query: [("cell", cell.text)]))
        } catch let error as OutsideError {
            throw .outside(error)
        } catch {
            throw .malformed
        }
        let sky = state.withLock { $0 }
        let first = now.milliseconds.dividedFloor(by: 3_600_000)
        let hours = (first - 1...first + 72).map { hour in
            ForecastHour(
                at: Instant(milliseconds: hour * 3_600_000),
                condition: sky.condition,
                temperatureCelsius: sky.temperature,
                windMps: 1
            )
        }
        return ProviderAnswer(content: .hours(hours), modified: nil, freshFor: nil)
    }

    func fetch(_ request: OutsideRequest) async throws(OutsideError) -> OutsideReply {
        if let cell = request.query.first.flatMap({ WeatherCell(text: $0.value) }) { asked.note(cell) }
        if let gate = state.withLock({ $0.gate }) {
            for await _ in gate {}
        }
        if state.withLock({ $0.isBroken }) { throw .timedOut }
        return OutsideReply(status: 200)
    }

    func reload() {}
}

/// Records what is sent to users, subscribers and participants.
final class RecordingListener: News {
    enum Told: Hashable, Sendable {
        case ready(UserID, OutlookSubject, PlaceOutlook)
        case changed([SubscriberID], PromiseID, PlaceOutlook)
        case turned(PromiseID, UserID)
    }

    let news = Signals<Told>()

    func tell(_ item: NewsItem, to audience: NewsAudience) {
        switch (item, audience) {
        case (.outlookReady(let outlook, let subject), .users(let users)):
            for user in users { news.note(.ready(user, subject, outlook)) }
        case (.weatherChanged(let outlook, let id), .subscribers(let subscribers)):
            news.note(.changed(subscribers, id, outlook))
        default: break
        }
    }

    /// The promises whose participants were notified, and those with an event to subscribers.
    var counts: (turned: Int, changed: Int) {
        news.all.reduce(into: (0, 0)) { counts, news in
            switch news {
            case .turned: counts.0 += 1
            case .changed: counts.1 += 1
            case .ready: break
            }
        }
    }
}

/// A directory with one place, which is open round the clock.
struct FixedPlaces: OutlookPlaces {
    static let id = PlaceID(high: 7, low: 7)
    static let seoul = Coordinate(latitude: 37.57987, longitude: 126.98936)

    func opening(of id: PlaceID, at instant: Instant) async -> OpeningOutlook? {
        guard id == Self.id else { return nil }
        return OpeningHours("24/7")?.outlook(
            at: instant,
            in: ZoneOffsets(offsetSeconds: 32_400)
        )
    }

    func coordinate(of id: PlaceID) async throws -> Coordinate {
        guard id == Self.id else { throw Refusal.promiseNotFound }
        return Self.seoul
    }
}

/// Runs a test on a store in its own folder, which is removed afterwards.
func withWeatherStore(users: ClosedRange<UInt64> = 1...2, _ body: (Store) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "promised-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }  // The system removes what stays here.
    let store = try await Store.open(directory: folder.path)
    for number in users { try await store.signUp(number) }
    try await body(store)
    #expect(try await store.upkeep.verify() == [])
    try await store.close()
}

extension Store {
    fileprivate func signUp(_ number: UInt64) async throws {
        let account = NewAccount(
            id: .user(number),
            email: "user\(number)@example.org",
            emailKey: "user\(number)@example.org",
            nickname: "User_\(number)",
            nicknameKey: "user_\(number)",
            passwordHash: "hash",
            locale: "ko-KR",
            timeZone: "Asia/Seoul",
            createdAt: .meeting - .days(9)
        )
        try #require(try await accounts.createUser(account) == .created)
    }

    /// Creates a promise of user 1 with user 2 as a participant.
    func add(_ promise: Promise) async throws {
        let creation = try await promises.createPromise(
            promise,
            participants: [.accepted(promise.ownerID), .accepted(.user(2))],
            events: [],
            key: "\(promise.id)",
            contentHash: [1],
            now: promise.createdAt
        )
        try #require(creation == .created)
    }
}

extension WeatherWorld {
    /// The outlook of a promise for user 1, once no fetch is pending any more.
    func settled(_ promise: Promise) async throws -> PlaceOutlook {
        let before = listener.news.all.count
        let first = try await weather.outlooks.outlook(ofPromise: promise.id, for: .user(1))
        guard first.weather.state == .pending else { return first }
        return try await ready(after: before, .promise(promise.id))
    }

    /// The outlook of a subject sent to user 1, after a number of messages.
    func ready(after count: Int, _ subject: OutlookSubject) async throws -> PlaceOutlook {
        @Sendable func outlooks(_ news: [RecordingListener.Told]) -> [PlaceOutlook] {
            news.dropFirst(count).compactMap { news in
                if case .ready(UserID.user(1), subject, let outlook) = news { outlook } else { nil }
            }
        }
        return try #require(outlooks(await listener.news.wait { !outlooks($0).isEmpty }).first)
    }

    /// Replaces a young record: moves the clock and requests the outlook until a newer one is stored.
    func renew(_ promise: Promise, _ condition: WeatherCondition, temperature: Double = 10) async throws {
        sky.show(condition, temperature: temperature)
        clock.advance(by: .hours(3) + .milliseconds(1))
        // Repeats the request: a fetch whose record was read may be unfinished, and prevents the next one.
        while try await settled(promise).weather.report?.fetchedAt != clock.now { await Task.yield() }
    }
}
