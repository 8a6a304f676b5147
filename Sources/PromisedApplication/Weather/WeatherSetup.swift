package import PromisedDomain
package import PromisedOutside
internal import PromisedPlaces
package import PromisedSettings

/// The providers named in the settings, and the HTTP client they need.
package struct WeatherSetup: Sendable {
    /// Why the settings are invalid.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// An address is not an HTTPS address.
        case address(OutsideURL.Problem)
        /// The folder of recorded replies is missing in the settings.
        case noFolder
        /// External providers cannot be used with a scaled or moved clock.
        case scaledClock

        /// The problem, with the settings that solve it.
        package var description: String {
            switch self {
            case .address(let problem): "weather.url: \(problem)"
            case .noFolder: "weather.url names no folder of recorded replies: add recorded=FOLDER"
            case .scaledClock:
                "weather.providers and weather.air may name only recorded replies while clock.rate or clock.start "
                    + "moves the server's clock"
            }
        }
    }

    /// In the operator's order; empty if the weather is off.
    package let providers: [any WeatherProvider]
    /// The provider of the air's quality.
    package let air: (any AirProvider)?
    /// The HTTP client to shut down; nil if no provider needs one.
    package let client: OutsideClient?
    /// The HTTP client; if none is needed, it refuses every request.
    package let fetcher: any HTTPFetching

    /// No provider: the weather is off.
    package static let off = WeatherSetup(providers: [], air: nil, client: nil)

    /// The parts described by the settings. Reads no file and opens no connection; a client owns a thread.
    ///
    /// - Parameter version: the product's version, for the User-Agent.
    package init(_ settings: ServerSettings, version: String, at now: Instant) throws(Problem) {
        let weather = settings.weather
        guard !weather.providers.isEmpty else {
            self = .off
            return
        }
        guard weather.asksOutside else {
            let recorded = try Self.recorded(weather, at: now)
            self.init(providers: [recorded], air: recorded, client: nil)
            return
        }
        guard settings.clock.rate == 1, settings.clock.start == nil else { throw .scaledClock }
        var services: [OutsideURL] = []
        var providers: [any WeatherProvider] = []
        for source in weather.providers {
            guard let address = try Self.address(of: source, weather) else {
                providers.append(try Self.recorded(weather, at: now))
                continue
            }
            services.append(address)
            providers.append(Self.provider(source, at: address, keyFile: weather.keyFile))
        }
        var air: OpenMeteoAir?
        if weather.air == .openMeteo {
            let address = try Self.address(.air, weather, default: OpenMeteoAir.defaultURL)
            services.append(address)
            air = OpenMeteoAir(at: address, key: ProviderKey(of: .openMeteo, in: weather.keyFile))
        }
        let manners = OutsideManners(
            product: "promised",
            version: version,
            contact: weather.contact ?? "",
            services: services
        )
        self.init(providers: providers, air: air, client: OutsideClient(manners, now: { RealTime.now }))
    }

    private init(providers: [any WeatherProvider], air: (any AirProvider)?, client: OutsideClient?) {
        self.providers = providers
        self.air = air
        self.client = client
        fetcher = client ?? NoWayOut()
    }

    /// Providers of forecasts with the caller's HTTP client; for simulations.
    package init(providers: [any WeatherProvider], through fetcher: any HTTPFetching) {
        self.providers = providers
        self.fetcher = fetcher
        (air, client) = (nil, nil)
    }

    private static func provider(
        _ source: WeatherSource,
        at address: OutsideURL,
        keyFile: String?
    ) -> any WeatherProvider {
        switch source {
        case .kma: KMAProvider(at: address, key: ProviderKey(of: .kma, in: keyFile))
        case .openMeteo: OpenMeteoProvider(at: address, key: ProviderKey(of: .openMeteo, in: keyFile))
        case .metNorway: METNorwayProvider(at: address)
        case .recorded: preconditionFailure("Recorded replies have no address")
        }
    }

    private static func recorded(
        _ weather: ServerSettings.Weather,
        at now: Instant
    ) throws(Problem) -> RecordedProvider {
        guard let folder = weather.address(of: .recorded) else { throw .noFolder }
        return RecordedProvider(folder: folder, startingAt: now)
    }

    /// The address of a provider; nil for recorded replies.
    private static func address(
        of source: WeatherSource,
        _ weather: ServerSettings.Weather
    ) throws(Problem) -> OutsideURL? {
        switch source {
        case .kma: try address(.kma, weather, default: KMAProvider.defaultURL)
        case .openMeteo: try address(.openMeteo, weather, default: OpenMeteoProvider.defaultURL)
        case .metNorway: try address(.metNorway, weather, default: METNorwayProvider.defaultURL)
        case .recorded: nil
        }
    }

    private static func address(
        _ provider: WeatherAddress.Provider,
        _ weather: ServerSettings.Weather,
        default: String
    ) throws(Problem) -> OutsideURL {
        do {
            return try OutsideURL(weather.address(of: provider) ?? `default`)
        } catch {
            throw .address(error)
        }
    }
}

/// Refuses every request.
private struct NoWayOut: HTTPFetching {
    func fetch(_ request: OutsideRequest) async throws(OutsideError) -> OutsideReply { throw .hostNotAllowed }
}
