import FoundationEssentials
import PromisedDomain
import PromisedPlaces

extension OpenMeteo {
    private struct Forecast: Decodable {
        struct Hourly: Decodable {
            let time: [Int64]
            let temperature: [Double?]?
            let felt: [Double?]?
            let probability: [Double?]?
            let precipitation: [Double?]?
            let snowfall: [Double?]?
            let code: [Double?]?
            let wind: [Double?]?
            let gusts: [Double?]?
            let humidity: [Double?]?

            enum CodingKeys: String, CodingKey {
                case time
                case temperature = "temperature_2m"
                case felt = "apparent_temperature"
                case probability = "precipitation_probability"
                case precipitation
                case snowfall
                case code = "weather_code"
                case wind = "wind_speed_10m"
                case gusts = "wind_gusts_10m"
                case humidity = "relative_humidity_2m"
            }
        }
        let hourly: Hourly
    }

    private struct Air: Decodable {
        struct Hourly: Decodable {
            let time: [Int64]
            let pm10: [Double?]?
            let pm25: [Double?]?

            enum CodingKeys: String, CodingKey {
                case time
                case pm10
                case pm25 = "pm2_5"
            }
        }
        let hourly: Hourly
    }

    /// The hours of a forecast that have any value.
    static func forecast(_ body: [UInt8]) throws(WeatherFailure) -> [ForecastHour] {
        let hourly = try decode(Forecast.self, body).hourly
        return try rows(hourly.time) { index, instant in
            let code = value(hourly.code, index)
            let temperature = value(hourly.temperature, index)
            // Beyond the horizon of its models the service fills columns with null.
            guard code != nil || temperature != nil else { return nil }
            return ForecastHour(
                at: instant,
                condition: code.flatMap { Int(exactly: $0) }.map { condition(code: $0) } ?? .unknown,
                temperatureCelsius: temperature,
                feltCelsius: value(hourly.felt, index),
                precipitationPercent: value(hourly.probability, index),
                precipitationMm: value(hourly.precipitation, index),
                snowCm: value(hourly.snowfall, index),
                windMps: value(hourly.wind, index),
                gustMps: value(hourly.gusts, index),
                humidityPercent: value(hourly.humidity, index)
            )
        }
    }

    /// The hours of the air's quality that have any value.
    static func air(_ body: [UInt8]) throws(WeatherFailure) -> [AirHour] {
        let hourly = try decode(Air.self, body).hourly
        return try rows(hourly.time) { index, instant in
            let (pm10, pm25) = (value(hourly.pm10, index), value(hourly.pm25, index))
            return pm10 == nil && pm25 == nil ? nil : AirHour(at: instant, pm10: pm10, pm25: pm25)
        }
    }

    /// The condition of a code of the WMO (table 4677 as the service uses it).
    static func condition(code: Int) -> WeatherCondition {
        switch code {
        case 0, 1: .clear
        case 2: .partlyCloudy
        case 3: .cloudy
        case 45, 48: .fog
        case 51...57: .drizzle
        case 61, 63, 80, 81: .rain
        case 65, 82: .heavyRain
        case 66, 67: .sleet
        case 71, 73, 77, 85: .snow
        case 75, 86: .heavySnow
        case 95...99: .thunderstorm
        default: .unknown
        }
    }

    private static func decode<Reply: Decodable>(
        _ type: Reply.Type,
        _ body: [UInt8]
    ) throws(WeatherFailure) -> Reply {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw .malformed
        }
    }

    /// The rows that `make` creates from ascending times in seconds.
    private static func rows<Hour>(
        _ times: [Int64],
        _ make: (Int, Instant) -> Hour?
    ) throws(WeatherFailure) -> [Hour] {
        let range = Int64(0)...253_402_300_799
        guard times.allSatisfy({ range.contains($0) }), zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw .malformed
        }
        return times.indices.compactMap { make($0, Instant(milliseconds: times[$0] * 1_000)) }
    }

    private static func value(_ column: [Double?]?, _ index: Int) -> Double? {
        guard let column, column.indices.contains(index) else { return nil }
        return column[index]
    }
}
