import FoundationEssentials
package import PromisedDomain
package import PromisedPlaces

/// A folder of recorded replies in the form of Open-Meteo, for demos and tests. It never opens a connection.
///
/// `forecast.json` serves every cell, unless the cell has its own file: `forecast-37.55,126.95.json`. The same applies
/// to `air.json`. The first recorded hour is mapped to the hour in which the provider was created; after the last one
/// the recording starts over.
package struct RecordedProvider: WeatherProvider, AirProvider {
    private static let hour = TimeSpan.hours(1).milliseconds
    /// The number of hours in an answer from the current one on.
    private static let hoursAhead: Int64 = 72

    private let folder: String
    private let start: Instant

    /// The recordings of a folder, shifted to the server's clock.
    package init(folder: String, startingAt now: Instant) {
        self.folder = folder
        start = now
    }

    package var source: WeatherSource { .recorded }

    /// No effect: there is no key.
    package func reload() {}

    /// The recorded forecast of a cell.
    package func forecast(
        of cell: WeatherCell,
        since modified: String?,
        at now: Instant,
        through fetcher: any HTTPFetching
    ) async throws(WeatherFailure) -> ProviderAnswer<ForecastHour> {
        guard let body = try recording("forecast", of: cell) else {
            return ProviderAnswer(content: .unknownCell, modified: nil, freshFor: nil)
        }
        let hours = moved(try OpenMeteo.forecast(body), to: now) { hour, instant in
            ForecastHour(
                at: instant,
                condition: hour.condition,
                temperatureCelsius: hour.temperatureCelsius,
                feltCelsius: hour.feltCelsius,
                precipitationPercent: hour.precipitationPercent,
                precipitationMm: hour.precipitationMm,
                snowCm: hour.snowCm,
                windMps: hour.windMps,
                gustMps: hour.gustMps,
                humidityPercent: hour.humidityPercent
            )
        }
        return try OutsideReply(status: 200).answer(hours)
    }

    /// The recorded quality of the air in a cell.
    package func air(
        of cell: WeatherCell,
        since modified: String?,
        at now: Instant,
        through fetcher: any HTTPFetching
    ) async throws(WeatherFailure) -> ProviderAnswer<AirHour> {
        guard let body = try recording("air", of: cell) else {
            return ProviderAnswer(content: .unknownCell, modified: nil, freshFor: nil)
        }
        let hours = moved(try OpenMeteo.air(body), to: now) { AirHour(at: $1, pm10: $0.pm10, pm25: $0.pm25) }
        return try OutsideReply(status: 200).answer(hours)
    }

    private func recording(_ name: String, of cell: WeatherCell) throws(WeatherFailure) -> [UInt8]? {
        let degrees = cell.degrees
        for file in ["\(name)-\(degrees.latitude),\(degrees.longitude).json", "\(name).json"] {
            let path = "\(folder)/\(file)"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            guard let data = FileManager.default.contents(atPath: path) else { throw .malformed }
            return Array(data)
        }
        return nil
    }

    /// The recording's hours from an hour before `now` on.
    private func moved<Hour>(_ hours: [Hour], to now: Instant, _ make: (Hour, Instant) -> Hour) -> [Hour] {
        let origin = start.milliseconds.dividedFloor(by: Self.hour)
        let present = now.milliseconds.dividedFloor(by: Self.hour)
        guard !hours.isEmpty else { return [] }
        return (present - 1...present + Self.hoursAhead).map { number in
            let index = (number - origin).modulo(Int64(hours.count))
            return make(hours[Int(index)], Instant(milliseconds: number * Self.hour))
        }
    }
}
