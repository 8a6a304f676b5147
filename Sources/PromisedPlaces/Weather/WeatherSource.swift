package import PromisedDomain

/// A provider of forecasts, by its name in the operator's configuration.
package enum WeatherSource: String, Hashable, Sendable, CaseIterable, Codable {
    /// The Korea Meteorological Administration.
    case kma
    case openMeteo = "open-meteo"
    /// The Norwegian Meteorological Institute.
    case metNorway = "met-norway"
    /// A folder of recorded replies.
    case recorded

    /// The cell of the provider for a point; nil outside its area.
    package func cell(at point: Coordinate) -> WeatherCell? {
        guard point.isValid else { return nil }
        return self == .kma ? WeatherCell(kmaAt: point) : WeatherCell(tenthAt: point)
    }

    /// How far ahead a forecast can reach. Many reach less far, as their record shows.
    package var horizon: TimeSpan {
        switch self {
        case .kma: .days(5)
        case .metNorway: .days(11)
        case .openMeteo, .recorded: .days(16)
        }
    }

    /// The last time, at or before `now`, at which the provider published forecasts; nil without a timetable.
    package func lastPublication(at now: Instant) -> Instant? {
        self == .kma ? KMATimetable.lastBase(at: now) + KMATimetable.delay : nil
    }

    /// The credit that every client shows beside the forecast.
    package var attribution: (text: String, url: String) {
        switch self {
        case .kma: ("Korea Meteorological Administration (기상청)", "https://www.weather.go.kr/")
        case .openMeteo: ("Weather data by Open-Meteo.com (CC BY 4.0)", "https://open-meteo.com/")
        case .metNorway: ("Data from MET Norway (CC BY 4.0)", "https://www.met.no/")
        case .recorded: ("Recorded weather, not a forecast", "")
        }
    }
}

/// The times at which the Korea Meteorological Administration computes and publishes forecasts.
package enum KMATimetable {
    /// Korea's time is ahead of UTC by this, all year.
    package static let offset = TimeSpan.hours(9)
    /// How long after its base time a forecast is published.
    package static let delay = TimeSpan.minutes(10)

    /// The base time (02, 05, … 23 h of Korea's clock) of the newest forecast published at `now`.
    package static func lastBase(at now: Instant) -> Instant {
        let period = TimeSpan.hours(3).milliseconds
        // 02 h in Korea is 17 h in UTC, two hours past a multiple of three.
        let shift = TimeSpan.hours(2)
        let periods = (now - delay - shift).milliseconds.dividedFloor(by: period)
        return Instant(milliseconds: periods * period) + shift
    }
}
