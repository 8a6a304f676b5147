package import PromisedDomain

/// The record of a cell: a forecast and, if requested, the air's quality. Both are replaced together.
package struct WeatherRecord: Hashable, Sendable, Codable {
    /// How long a record may be served.
    package static let longestUse = TimeSpan.hours(12)
    /// How long hours are stored that a newer forecast no longer contains.
    package static let pastKept = TimeSpan.hours(6)

    package let cell: WeatherCell
    /// The provider of the forecast.
    package let source: WeatherSource
    /// When the provider last answered, also if the data was unchanged.
    package let fetchedAt: Instant
    /// The provider must not be queried again before this; nil if it named no time.
    package let expiresAt: Instant?
    /// The hours of the forecast, ascending, each at most once; empty if the provider does not know the cell.
    package let hours: [ForecastHour]
    /// The hours of the air's quality, ascending, each at most once.
    package let air: [AirHour]
    /// The provider's modification date of the forecast, to be sent back with the next request.
    package let forecastModified: String?
    /// The provider's modification date of the air's quality.
    package let airModified: String?

    /// A record. `expiresAt` is limited to ``longestUse`` after `fetchedAt`: a record is not served for longer.
    package init(
        cell: WeatherCell,
        source: WeatherSource,
        fetchedAt: Instant,
        expiresAt: Instant? = nil,
        hours: [ForecastHour],
        air: [AirHour] = [],
        forecastModified: String? = nil,
        airModified: String? = nil
    ) {
        self.cell = cell
        self.source = source
        self.fetchedAt = fetchedAt
        self.expiresAt = expiresAt.map { min($0, fetchedAt + Self.longestUse) }
        self.hours = hours
        self.air = air
        self.forecastModified = forecastModified
        self.airModified = airModified
    }

    /// `true` if the provider does not know the cell.
    package var isEmpty: Bool { hours.isEmpty }

    /// `true` if the forecast covers `instant`: from an hour before its first hour to the end of its last.
    package func covers(_ instant: Instant) -> Bool {
        guard let first = hours.first, let last = hours.last else { return false }
        return instant >= first.at - .hours(1) && instant < last.at + .hours(1)
    }

    /// The index of the hour that contains `instant`; nil if the record does not cover it.
    package func index(at instant: Instant) -> Int? {
        guard covers(instant) else { return nil }
        return hours.lastIndex { $0.at <= instant } ?? 0
    }

    /// The hours of `old` before the first of `new`, no older than ``pastKept``, followed by `new`.
    ///
    /// Some forecasts begin with the hour after they were issued; the current hour is in the previous one.
    package static func joined(_ old: [ForecastHour], _ new: [ForecastHour]) -> [ForecastHour] {
        guard let first = new.first else { return new }
        return old.filter { $0.at < first.at && $0.at >= first.at - pastKept } + new
    }
}
