package import Logging
package import Metrics
internal import PromisedConcurrency
package import PromisedDomain
package import PromisedEngine
package import PromisedOutside
package import PromisedPlaces
package import PromisedSettings
internal import PromisedStore

/// Everything about weather in a running server: outlooks for users, fetches ahead, changes, and the operator's view.
///
/// Without providers in the settings, it does nothing, and all outlooks report that the weather is off.
package struct Weather: Sendable {
    package let outlooks: Outlooks
    private let store: (administration: AdministrationStore, weather: WeatherStore)
    private let forecasts: WeatherService
    private let places: any OutlookPlaces
    private let client: OutsideClient?
    private let isOn: Bool
    private let prefetch: WeatherPrefetch
    private let changes: WeatherChanges
    private let ends: FetchEnds
    private let log: Logger

    /// The weather by a setup. Fetches nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - setup: the providers; the weather shuts down its client.
    ///   - random: the source of the node's id and of the jitter in pauses.
    ///   - pause: waits for a time; replaceable for simulations.
    package init(
        _ setup: WeatherSetup,
        settings: ServerSettings.Weather,
        sessions: PromiseSessions,
        places: any OutlookPlaces,
        news: any News,
        notifications: NotificationQueue,
        clock: any WallClock,
        random: RandomSource,
        metrics: any MetricsFactory,
        pause: @escaping @Sendable (TimeSpan) async throws -> Void = { try await Task.sleep(for: $0.duration) },
        log: Logger
    ) {
        let ends = FetchEnds()
        let surroundings = WeatherSurroundings(
            providers: setup.providers,
            air: setup.air,
            grading: settings.airGrades,
            archive: StoreWeatherArchive(sessions.store, at: clock.now, random: random),
            fetcher: setup.fetcher,
            audience: ends,
            clock: WeatherClock(now: { clock.now }, pause: pause)
        )
        self.init(
            surroundings,
            ends: ends,
            client: setup.client,
            settings: settings,
            sessions: sessions,
            places: places,
            news: news,
            notifications: notifications,
            clock: clock,
            random: random,
            metrics: metrics,
            log: log
        )
    }

    /// The same with the caller's dependencies.
    init(
        _ surroundings: WeatherSurroundings,
        ends: FetchEnds,
        client: OutsideClient? = nil,
        settings: ServerSettings.Weather,
        sessions: PromiseSessions,
        places: any OutlookPlaces,
        news: any News,
        notifications: NotificationQueue,
        clock: any WallClock,
        random: RandomSource,
        metrics: any MetricsFactory,
        log: Logger
    ) {
        let limits = WeatherService.Settings(settings)
        store = (sessions.store.administration, sessions.store.weather)
        forecasts = WeatherService(surroundings, settings: limits, random: random, metrics: metrics, logger: log)
        prefetch = WeatherPrefetch(forecasts, store: sessions.store, clock: clock, lookback: settings.refresh, log: log)
        (self.places, self.client, self.ends, self.log) = (places, client, ends, log)
        isOn = !surroundings.providers.isEmpty
        outlooks = Outlooks(
            sessions: sessions,
            forecasts: forecasts,
            places: places,
            news: news,
            prefetch: prefetch,
            clock: clock
        )
        changes = WeatherChanges(
            sessions: sessions,
            forecasts: forecasts,
            places: places,
            news: news,
            notifications: notifications,
            clock: clock,
            log: log
        )
    }

    /// Fetches and notifies until the task is cancelled, then shuts down the HTTP client.
    package func run() async {
        if isOn { await endOldClaims() }
        await withDiscardingTaskGroup { group in
            group.addTask { await forecasts.run() }
            group.addTask { await follow() }
        }
        await shutDown()
    }

    /// Begins fetches before the meeting times of promises until the task is cancelled; ``run()`` performs them. Returns
    /// at once if the weather is off.
    package func fetchAhead() async { if isOn { await prefetch.run() } }

    /// Reads keys again and retries providers that refused requests; call this when the operator reloads the
    /// configuration.
    package func reload() async { await forecasts.reload() }

    // MARK: - For administrators

    /// The recent replies of the providers, and the budget. Throws `ApplicationError.unavailable` if the store cannot be read.
    package func status() async throws(ApplicationError) -> WeatherStatus {
        do {
            return try await forecasts.status()
        } catch {
            throw .unavailable(retryAfter: .seconds(1), message: "The weather's records cannot be read.")
        }
    }

    /// Fetches the weather of a place even if the record is recent, within the budget and the providers' limits.
    ///
    /// - Parameter audit: written before the fetch.
    /// - Throws: `place.not-found`; `StoreError` if the audit cannot be written: then nothing is fetched.
    package func refresh(of place: PlaceID, at now: Instant, audit: AuditEntry) async throws -> PlaceOutlook {
        let coordinate = try await places.coordinate(of: place)
        try await store.administration.record(audit)
        let weather = await forecasts.refresh(at: coordinate)
        return PlaceOutlook(at: now, await places.opening(of: place, at: now), weather)
    }

    // MARK: - Parts

    /// Ends the claims of an earlier, killed process: its cells could not be fetched until the claims expired.
    private func endOldClaims() async {
        do throws(StoreError) {
            try await store.weather.endWeatherClaims()
        } catch {
            log.warning("Old claims of weather stay until they run out", metadata: ["error": "\(error)"])
        }
    }

    /// Each fetch answers its questions again; several at a time, because each reads the store.
    private func follow() async {
        await ends.updates.forEach(atOnce: FetchEnds.atOnce) { update in
            await outlooks.answer(update)
            await changes.follow(update)
        }
    }

    private func shutDown() async {
        guard let client else { return }
        do {
            try await client.shutdown()
        } catch {
            log.warning("The HTTP client did not end cleanly", metadata: ["error": "\(type(of: error))"])
        }
    }
}

extension WeatherService.Settings {
    fileprivate init(_ settings: ServerSettings.Weather) {
        self.init()
        refresh = settings.refresh
        dailyRequests = settings.dailyRequests
    }
}

/// The finished fetches, in order.
final class FetchEnds: WeatherAudience {
    /// How many are processed at a time.
    static let atOnce = 4
    /// The most fetches in progress at once; further ends are dropped only while these wait.
    private static let limit = 4_096

    /// The finished fetches, for one reader.
    let updates: AsyncStream<WeatherUpdate>
    private let queue: AsyncStream<WeatherUpdate>.Continuation

    init() {
        (updates, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(FetchEnds.limit))
    }

    func ended(_ update: WeatherUpdate) { queue.yield(update) }
}
