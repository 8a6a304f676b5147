package import Logging
package import Metrics
internal import PromisedConcurrency
package import PromisedDomain
package import PromisedEngine
package import PromisedOutside
package import PromisedSettings
package import PromisedStore

/// Everything about weather in a running server: outlooks for users, fetches ahead, changes, and the operator's view.
///
/// Without providers in the settings nothing is fetched, watched or connected: all outlooks say that the weather is off.
package struct Weather: Sendable {
    /// Outlooks for users.
    package let outlooks: Outlooks
    private let store: Store
    private let forecasts: WeatherService
    private let places: any OutlookPlaces
    private let client: OutsideClient?
    private let isOn: Bool
    private let prefetch: WeatherPrefetch
    private let changes: WeatherChanges
    private let ends: FetchEnds
    private let log: Logger

    /// The weather that a setup describes. Nothing is fetched before ``run()``.
    ///
    /// - Parameters:
    ///   - setup: the providers; the weather ends its client.
    ///   - random: the source of the node's name and of the jitter of pauses.
    ///   - pause: waits for a time; a seam for simulations.
    package init(
        _ setup: WeatherSetup,
        settings: ServerSettings.Weather,
        sessions: PromiseSessions,
        places: any OutlookPlaces,
        listener: any WeatherListener,
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
            listener: listener,
            clock: clock,
            random: random,
            metrics: metrics,
            log: log
        )
    }

    /// The same with surroundings of the caller's choice.
    init(
        _ surroundings: WeatherSurroundings,
        ends: FetchEnds,
        client: OutsideClient? = nil,
        settings: ServerSettings.Weather,
        sessions: PromiseSessions,
        places: any OutlookPlaces,
        listener: any WeatherListener,
        clock: any WallClock,
        random: RandomSource,
        metrics: any MetricsFactory,
        log: Logger
    ) {
        var limits = WeatherService.Settings()
        limits.refresh = settings.refresh
        limits.dailyRequests = settings.dailyRequests
        let forecasts = WeatherService(surroundings, settings: limits, random: random, metrics: metrics, logger: log)
        let prefetch = WeatherPrefetch(
            store: sessions.store,
            forecasts: forecasts,
            clock: clock,
            lookback: settings.refresh,
            log: log
        )
        store = sessions.store
        self.forecasts = forecasts
        self.prefetch = prefetch
        self.places = places
        self.client = client
        self.ends = ends
        self.log = log
        isOn = !surroundings.providers.isEmpty
        outlooks = Outlooks(
            sessions: sessions,
            forecasts: forecasts,
            places: places,
            listener: listener,
            prefetch: prefetch,
            clock: clock
        )
        changes = WeatherChanges(
            sessions: sessions,
            forecasts: forecasts,
            places: places,
            listener: listener,
            clock: clock,
            log: log
        )
    }

    /// Fetches and tells until the task is cancelled, then ends the HTTP client.
    package func run() async {
        if isOn { await endOldClaims() }
        await withDiscardingTaskGroup { group in
            group.addTask { await forecasts.run() }
            group.addTask { await follow() }
            if isOn { group.addTask { await prefetch.run() } }
        }
        await shutDown()
    }

    /// Has keys read again and asks providers again that refused them; call it when the operator has the configuration read
    /// again.
    package func reload() async { await forecasts.reload() }

    // MARK: - For administrators

    /// The recent answers of the providers, and the budget. Throws `ActError.unavailable` if the store cannot be read.
    package func status() async throws(ActError) -> WeatherStatus {
        do {
            return try await forecasts.status()
        } catch {
            throw .unavailable(retryAfter: .seconds(1), message: "The weather's records cannot be read.")
        }
    }

    /// Fetches the weather of a place even if it is young, within the budget and the providers' wishes.
    ///
    /// - Parameter audit: recorded before the fetch.
    /// - Throws: `place.not-found`; `StoreError` if the audit cannot be written, and nothing is fetched.
    package func refresh(of place: PlaceID, at now: Instant, audit: AuditEntry) async throws -> PlaceOutlook {
        let coordinate = try await places.coordinate(of: place)
        try await store.record(audit)
        let weather = await forecasts.refresh(at: coordinate)
        return PlaceOutlook(at: now, await places.opening(of: place, at: now), weather)
    }

    // MARK: - Parts

    /// Ends the claims of an earlier process that was killed: its cells could not be fetched until they ran out.
    private func endOldClaims() async {
        do throws(StoreError) {
            try await store.endWeatherClaims()
        } catch {
            log.warning("Old claims of weather stay until they run out", metadata: ["error": "\(error)"])
        }
    }

    /// A question is answered anew for each fetch; several at a time, because each reads the store.
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

/// The ends of fetches, in order.
final class FetchEnds: WeatherAudience {
    /// How many are followed at a time.
    static let atOnce = 4
    /// No more fetches than this are under way at once; further ends are dropped only while these wait.
    private static let limit = 4_096

    /// The ends, for one reader.
    let updates: AsyncStream<WeatherUpdate>
    private let queue: AsyncStream<WeatherUpdate>.Continuation

    init() {
        (updates, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(FetchEnds.limit))
    }

    func ended(_ update: WeatherUpdate) { queue.yield(update) }
}
