package import PromisedDomain
package import PromisedPlaces

/// Open-Meteo's forecasts.
package struct OpenMeteoProvider: WeatherProvider {
    /// The service's address.
    package static let defaultURL = "https://api.open-meteo.com/v1"
    private static let columns = [
        "temperature_2m", "apparent_temperature", "precipitation_probability", "precipitation", "snowfall",
        "weather_code", "wind_speed_10m", "wind_gusts_10m", "relative_humidity_2m",
    ]

    private let base: OutsideURL
    private let key: ProviderKey

    /// The service at an address. Only customers of the service have a key.
    package init(at base: OutsideURL, key: ProviderKey) {
        self.base = base
        self.key = key
    }

    package var source: WeatherSource { .openMeteo }

    /// Clears the key, so that it is read again.
    package func reload() { key.forget() }

    /// Requests the hours from yesterday to the service's horizon.
    package func forecast(
        of cell: WeatherCell,
        since modified: String?,
        at now: Instant,
        through fetcher: any HTTPFetching
    ) async throws(WeatherFailure) -> ProviderAnswer<ForecastHour> {
        let parameters = [
            ("hourly", Self.columns.joined(separator: ",")), ("wind_speed_unit", "ms"), ("past_days", "1"),
            ("forecast_days", "16"),
        ]
        let request = try OpenMeteo.request(
            base,
            path: "/forecast",
            cell: cell,
            parameters: parameters,
            key: key,
            modifiedSince: modified
        )
        let reply = try await fetcher.reply(to: request)
        return reply.isUnchanged ? reply.unchanged(since: modified) : try reply.answer(OpenMeteo.forecast(reply.body))
    }
}

/// Open-Meteo's forecasts of the air's quality.
package struct OpenMeteoAir: AirProvider {
    /// The service's address.
    package static let defaultURL = "https://air-quality-api.open-meteo.com/v1"

    private let base: OutsideURL
    private let key: ProviderKey

    /// The service at an address. Only customers of the service have a key.
    package init(at base: OutsideURL, key: ProviderKey) {
        self.base = base
        self.key = key
    }

    /// Clears the key, so that it is read again.
    package func reload() { key.forget() }

    /// Requests the hours from yesterday to five days ahead, in the tenth of a degree that contains the cell's middle.
    package func air(
        of cell: WeatherCell,
        since modified: String?,
        at now: Instant,
        through fetcher: any HTTPFetching
    ) async throws(WeatherFailure) -> ProviderAnswer<AirHour> {
        let request = try OpenMeteo.request(
            base,
            path: "/air-quality",
            cell: cell,
            parameters: [("hourly", "pm10,pm2_5"), ("past_days", "1"), ("forecast_days", "5")],
            key: key,
            modifiedSince: modified
        )
        let reply = try await fetcher.reply(to: request)
        return reply.isUnchanged ? reply.unchanged(since: modified) : try reply.answer(OpenMeteo.air(reply.body))
    }
}

/// The common part of requests to Open-Meteo's services.
enum OpenMeteo {
    fileprivate static func request(
        _ base: OutsideURL,
        path: String,
        cell: WeatherCell,
        parameters: [(String, String)],
        key: ProviderKey,
        modifiedSince: String?
    ) throws(WeatherFailure) -> OutsideRequest {
        let degrees = cell.degrees
        var query = [("latitude", degrees.latitude), ("longitude", degrees.longitude)] + parameters
        query += [("timeformat", "unixtime"), ("timezone", "GMT")]
        do {
            if let key = try key.valueIfAny() { query.append(("apikey", key)) }
        } catch {
            throw .key(error)
        }
        return OutsideRequest(base, path: path, query: query.map { ($0.0, $0.1) }, modifiedSince: modifiedSince)
    }
}
