import Logging
import Metrics
import PromisedConcurrency
import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import Testing

@testable import PromisedOutside

/// A weather service with a clock that the test sets, records in memory and fetches that the test answers.
final class WeatherWorld: Sendable {
    static let seoul = Coordinate(latitude: 37.57987, longitude: 126.98936)
    static let tokyo = Coordinate(latitude: 35.6812, longitude: 139.7671)

    let time = Guarded(Replies.now)
    let archive = MemoryWeatherArchive()
    let audience = RecordingAudience()
    let fetcher: FakeFetcher
    let service: WeatherService
    /// An element for each caller that waits for a fetch.
    let waits: AsyncStream<Void>
    private let patience: Patience

    init(
        _ sources: [WeatherSource] = [.openMeteo],
        air: Bool = false,
        daily: Int = 1_000,
        isPatient: Bool = true,
        key: ProviderKey = ProviderKey(of: .openMeteo, in: nil),
        _ answer: @escaping FakeFetcher.Answer = { (request) throws(OutsideError) in Replies.reply(to: request) }
    ) throws {
        fetcher = FakeFetcher(answer)
        var settings = WeatherService.Settings()
        settings.dailyRequests = daily
        let patience = Patience(isEndless: isPatient)
        self.patience = patience
        waits = patience.waits
        let generator = Guarded(SeededGenerator(seed: 24))
        let air: (any AirProvider)? =
            air ? OpenMeteoAir(at: try OutsideURL(OpenMeteoAir.defaultURL), key: .init(of: .openMeteo, in: nil)) : nil
        let providers = try sources.map { try Self.provider($0, key: key) }
        service = WeatherService(
            WeatherSurroundings(
                providers: providers,
                air: air,
                archive: archive,
                fetcher: fetcher,
                audience: audience,
                clock: WeatherClock(
                    now: { [time] in time.withLock { $0 } },
                    pause: { _ in try await patience.pause() }
                )
            ),
            settings: settings,
            random: RandomSource { generator.withLock { $0.next() } },
            metrics: NOOPMetricsHandler.instance,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }

    private static func provider(_ source: WeatherSource, key: ProviderKey) throws -> any WeatherProvider {
        switch source {
        case .kma: KMAProvider(at: try OutsideURL(KMAProvider.defaultURL), key: key)
        case .openMeteo: OpenMeteoProvider(at: try OutsideURL(OpenMeteoProvider.defaultURL), key: key)
        case .metNorway: METNorwayProvider(at: try OutsideURL(METNorwayProvider.defaultURL))
        case .recorded: RecordedProvider(folder: "/nowhere", startingAt: Replies.now)
        }
    }

    /// The present instant.
    var now: Instant { time.withLock { $0 } }

    /// Moves the clock.
    func pass(_ span: TimeSpan) { time.withLock { $0 = $0 + span } }

    /// Runs the service while `body` runs.
    func run(_ body: (WeatherWorld) async throws -> Void) async throws {
        let service = service
        let running = Task { await service.run() }  // Cancelled and awaited below.
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(self))
        } catch {
            outcome = .failure(error)
        }
        running.cancel()
        await running.value
        try outcome.get()
    }

    /// The weather in Seoul now.
    func look(_ purpose: WeatherBudget.Purpose = .ordinary, at point: Coordinate = seoul) async -> WeatherOutlook {
        await service.outlook(at: point, instant: now, purpose: purpose)
    }

    /// Makes all callers that wait for a fetch time out.
    func losePatience() { patience.end() }
}

/// Pauses that end on the test's request; or at once.
private final class Patience: Sendable {
    let waits: AsyncStream<Void>
    private let wait: AsyncStream<Void>.Continuation
    private let isEndless: Bool
    private let waiting = Guarded<[AsyncStream<Void>.Continuation]>([])

    init(isEndless: Bool) {
        self.isEndless = isEndless
        (waits, wait) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1_000))
    }

    func pause() async throws {
        let (end, ender) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        if isEndless { waiting.withLock { $0.append(ender) } } else { ender.finish() }
        wait.yield()
        for await _ in end {}
        try Task.checkCancellation()
    }

    func end() {
        for ender in waiting.withLock({ $0 }) { ender.finish() }
    }
}

/// Records in memory.
actor MemoryWeatherArchive: WeatherArchive {
    private(set) var records: [WeatherKey: WeatherRecord] = [:]
    private var claims: [WeatherKey: Instant] = [:]
    private(set) var spent: [Int64: Int] = [:]
    var isBroken = false
    private var onCount: (@Sendable () async -> Void)?

    func breakDown(_ isBroken: Bool) { self.isBroken = isBroken }

    private func check() throws(WeatherArchiveError) {
        if isBroken { throw WeatherArchiveError(reason: "broken") }
    }

    func record(of key: WeatherKey) async throws(WeatherArchiveError) -> WeatherRecord? {
        try check()
        return records[key]
    }

    func keep(_ record: WeatherRecord) async throws(WeatherArchiveError) {
        try check()
        records[WeatherKey(source: record.source, cell: record.cell)] = record
    }

    func claim(_ key: WeatherKey, from now: Instant, until end: Instant) async throws(WeatherArchiveError) -> Bool {
        try check()
        if let other = claims[key], other > now { return false }
        claims[key] = end
        return true
    }

    func release(_ key: WeatherKey) async throws(WeatherArchiveError) {
        try check()
        claims[key] = nil
    }

    func spendRequest(on day: Int64, limit: Int) async throws(WeatherArchiveError) -> Bool {
        try check()
        guard spent[day, default: 0] < limit else { return false }
        spent[day, default: 0] += 1
        return true
    }

    /// Runs once, at the next query of the used requests.
    func onNextCount(_ act: @escaping @Sendable () async -> Void) { onCount = act }

    func requestsSpent(on day: Int64) async throws(WeatherArchiveError) -> Int {
        try check()
        if let act = onCount {
            onCount = nil
            await act()
        }
        return spent[day, default: 0]
    }
}

/// Records the ends of fetches.
final class RecordingAudience: WeatherAudience {
    /// The updates in order.
    let updates: AsyncStream<WeatherUpdate>
    private let update: AsyncStream<WeatherUpdate>.Continuation

    init() {
        (updates, update) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(10_000))
    }

    func ended(_ update: WeatherUpdate) { self.update.yield(update) }

    func next() async -> WeatherUpdate? {
        var iterator = updates.makeAsyncIterator()
        return await iterator.next()
    }
}
