internal import CoreMetrics
internal import PromisedAccess
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedOutside
internal import PromisedSettings

/// The weather of promises, from a provider that may fail.
struct WeatherActs: Sendable {
    private let weather: Weather

    init(
        sky: SimulatedSky,
        sessions: PromiseSessions,
        places: PlaceDirectory,
        switchboard: Switchboard,
        notifications: NotificationQueue,
        clock: VirtualClock,
        random: RandomSource
    ) {
        guard let address = try? OutsideURL("https://sky.example.org/v1") else {
            preconditionFailure("The address is a sound one")
        }
        let provider = OpenMeteoProvider(at: address, key: ProviderKey(of: .openMeteo, in: nil))
        var settings = ServerSettings().weather
        // Forecasts expire within a story, and some stories exhaust the budget.
        (settings.refresh, settings.dailyRequests) = (.minutes(8), 12)
        weather = Weather(
            WeatherSetup(providers: [provider], through: SkyFetcher(sky: sky, clock: clock)),
            settings: settings,
            sessions: sessions,
            places: places,
            news: switchboard,
            notifications: notifications,
            clock: clock,
            random: random,
            metrics: NOOPMetricsHandler.instance,
            pause: { try await clock.sleep(until: clock.now + $0) },
            log: .silent
        )
    }

    /// Fetches and sends weather until the task is cancelled.
    func run() async { await weather.run() }

    func outlook(of id: PromiseID, for userID: UserID) async throws -> PlaceOutlook {
        try await weather.outlooks.outlook(ofPromise: id, for: userID)
    }
}
