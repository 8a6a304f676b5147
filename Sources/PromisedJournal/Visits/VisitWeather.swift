package import PromisedDomain
package import PromisedPlaces

/// The weather of the hour of a visit, by the last forecast.
package struct VisitWeather: Hashable, Sendable, Codable {
    package let source: WeatherSource
    /// When the provider last answered.
    package let fetchedAt: Instant
    package let forecast: ForecastHour
    /// The air's quality; nil if unknown.
    package let air: AirHour?
    /// The advice of that hour, never empty.
    package let advice: [WeatherAdvice]

    /// The weather of the requested hour of a report.
    package init(_ report: WeatherOutlook.Report) {
        source = report.source
        fetchedAt = report.fetchedAt
        forecast = report.hour.forecast
        air = report.hour.air
        advice = report.hour.advice
    }
}
