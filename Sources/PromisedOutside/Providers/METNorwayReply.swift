import FoundationEssentials
import PromisedDomain
import PromisedPlaces

/// A reply of the Norwegian service: hours for about two days, then steps of six hours.
enum METNorwayReply {
    private struct Reply: Decodable {
        struct Properties: Decodable {
            let timeseries: [Step]
        }
        let properties: Properties
    }

    private struct Step: Decodable {
        struct Data: Decodable {
            let instant: Moment
            let nextHour: Period?
            let nextSixHours: Period?

            enum CodingKeys: String, CodingKey {
                case instant
                case nextHour = "next_1_hours"
                case nextSixHours = "next_6_hours"
            }
        }
        struct Moment: Decodable {
            let details: [String: Double]
        }
        struct Period: Decodable {
            struct Summary: Decodable {
                let symbol: String
                enum CodingKeys: String, CodingKey {
                    case symbol = "symbol_code"
                }
            }
            let summary: Summary
            let details: [String: Double]?
        }
        let time: String
        let data: Data
    }

    /// The hours of a reply, ascending.
    static func hours(_ body: [UInt8]) throws(WeatherFailure) -> [ForecastHour] {
        let steps: [Step]
        do {
            steps = try JSONDecoder().decode(Reply.self, from: Data(body)).properties.timeseries
        } catch {
            throw .malformed
        }
        let dated = steps.compactMap { step in Instant(rfc3339: step.time).map { (at: $0, data: step.data) } }
        guard dated.count == steps.count, zip(dated, dated.dropFirst()).allSatisfy({ $0.at < $1.at }) else {
            throw .malformed
        }
        return dated.indices.flatMap { index in
            hours(at: dated[index].at, dated[index].data, until: dated[safe: index + 1])
        }
    }

    /// The hours from a step to the next: one of them, or up to six.
    private static func hours(
        at start: Instant,
        _ step: Step.Data,
        until next: (at: Instant, data: Step.Data)?
    )
        -> [ForecastHour]
    {
        if let period = step.nextHour {
            return [hour(at: start, step.instant.details, period.summary.symbol, period.details ?? [:])]
        }
        guard let period = step.nextSixHours else { return [] }
        let last = min(next?.at ?? start + .hours(6), start + .hours(6))
        let count = max(1, (last - start).milliseconds / TimeSpan.hours(1).milliseconds)
        // The amount covers all six hours, so it is unknown for a single one.
        let chances = (period.details ?? [:]).filter { $0.key == "probability_of_precipitation" }
        return (0..<count).map { offset in
            let details = between(step.instant.details, next?.data.instant.details, Double(offset) / Double(count))
            return hour(at: start + .hours(offset), details, period.summary.symbol, chances)
        }
    }

    /// The values interpolated at a fraction of the time from one moment to the next.
    private static func between(
        _ from: [String: Double],
        _ to: [String: Double]?,
        _ fraction: Double
    )
        -> [String: Double]
    {
        guard let to else { return from }
        return from.merging(to) { first, second in first + (second - first) * fraction }.filter { from[$0.key] != nil }
    }

    private static func hour(
        at instant: Instant,
        _ moment: [String: Double],
        _ symbol: String,
        _ period: [String: Double]
    ) -> ForecastHour {
        ForecastHour(
            at: instant,
            condition: condition(symbol: symbol),
            temperatureCelsius: moment["air_temperature"],
            precipitationPercent: period["probability_of_precipitation"],
            precipitationMm: period["precipitation_amount"],
            windMps: moment["wind_speed"],
            gustMps: moment["wind_speed_of_gust"],
            humidityPercent: moment["relative_humidity"]
        )
    }

    /// The condition of a symbol, such as `lightrainshowers_day`.
    static func condition(symbol: String) -> WeatherCondition {
        if symbol.contains("thunder") { return .thunderstorm }
        var name = String(symbol.prefix { $0 != "_" })
        if name.hasSuffix("showers") { name.removeLast("showers".count) }
        switch name {
        case "clearsky", "fair": return .clear
        case "partlycloudy": return .partlyCloudy
        case "cloudy": return .cloudy
        case "fog": return .fog
        case "lightrain": return .drizzle
        case "rain": return .rain
        case "heavyrain": return .heavyRain
        case "lightsleet", "sleet", "heavysleet": return .sleet
        case "lightsnow", "snow": return .snow
        case "heavysnow": return .heavySnow
        default: return .unknown
        }
    }
}

extension Array {
    /// The element at an index; nil outside the array.
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
