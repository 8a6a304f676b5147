import PromisedDomain
import PromisedOutside
import PromisedPlaces
import PromisedSettings
import PromisedTestMarks
import Testing

@testable import PromisedApplication

@Suite struct WeatherSetupTests {
    private static let now = Instant(milliseconds: 1_795_251_600_000)

    private func setup(
        _ providers: [WeatherSource],
        air: ServerSettings.Weather.Air = .none,
        addresses: [String] = [],
        rate: Double = 1
    ) throws(WeatherSetup.Problem) -> WeatherSetup {
        var settings = ServerSettings()
        settings.weather.providers = providers
        settings.weather.air = air
        settings.weather.addresses = addresses.compactMap { WeatherAddress($0) }
        settings.clock.rate = rate
        return try WeatherSetup(settings, version: "1.0", at: Self.now)
    }

    @Test(.proves("13.1")) func `the default configuration connects to no host`() throws {
        let setup = try WeatherSetup(ServerSettings(), version: "1.0", at: Self.now)
        #expect(setup.providers.isEmpty && setup.air == nil && setup.client == nil)
    }

    @Test func `recorded replies include air quality and connect to no host, at any clock rate`() async throws {
        for rate in [1, 600] as [Double] {
            let setup = try setup([.recorded], addresses: ["recorded=/nowhere"], rate: rate)
            #expect(setup.providers.map(\.source) == [.recorded] && setup.air is RecordedProvider)
            #expect(setup.client == nil)
            let request = OutsideRequest(try OutsideURL("https://weather.example"), query: [])
            await #expect(throws: OutsideError.hostNotAllowed) { try await setup.fetcher.fetch(request) }
        }
    }

    @Test func `uses the operator's order of providers`() async throws {
        let setup = try setup(
            [.openMeteo, .kma, .metNorway],
            air: .openMeteo,
            addresses: ["kma=https://127.0.0.1:1/x"]
        )
        #expect(setup.providers.map(\.source) == [.openMeteo, .kma, .metNorway])
        #expect(setup.air is OpenMeteoAir)
        try await #require(setup.client).shutdown()
    }

    @Test(
        arguments: [([.openMeteo], .none), ([.recorded, .kma], .none), ([.recorded], .openMeteo)]
            as [([WeatherSource], ServerSettings.Weather.Air)]
    )
    func `rejects outside providers on a scaled clock`(providers: [WeatherSource], air: ServerSettings.Weather.Air) {
        #expect(throws: WeatherSetup.Problem.scaledClock) {
            try setup(providers, air: air, addresses: ["recorded=/nowhere"], rate: 60)
        }
    }

    @Test func `rejects outside providers on a moved clock`() {
        var settings = ServerSettings()
        settings.weather.providers = [.openMeteo]
        settings.clock.start = Self.now
        #expect(throws: WeatherSetup.Problem.scaledClock) {
            try WeatherSetup(settings, version: "1.0", at: Self.now)
        }
    }

    @Test func `recorded replies need a folder`() {
        #expect(throws: WeatherSetup.Problem.noFolder) { try setup([.recorded]) }
    }
}
