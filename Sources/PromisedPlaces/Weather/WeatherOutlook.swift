package import PromisedDomain

/// The availability of the weather at an instant.
package enum WeatherState: String, Hashable, Sendable, CaseIterable, Codable {
    /// No provider is configured.
    case off
    /// Known.
    case ready
    /// Known from an outdated record.
    case stale
    /// The provider is being queried.
    case pending
    /// Outside the providers' areas, or too far ahead.
    case beyond
    /// The provider cannot be queried, and all records are too old.
    case unavailable
}

/// An hour for display.
package struct WeatherHour: Hashable, Sendable {
    package let forecast: ForecastHour
    /// The air's quality, if known.
    package let air: AirHour?
    /// The advice, never empty.
    package let advice: [WeatherAdvice]

    /// An hour with its advice.
    package init(forecast: ForecastHour, air: AirHour?, advice: [WeatherAdvice]) {
        self.forecast = forecast
        self.air = air
        self.advice = advice
    }

    /// The grade of particles up to 10 µm.
    package var pm10Grade: AirGrade { air?.pm10Grade ?? .unspecified }
    /// The grade of particles up to 2.5 µm.
    package var pm25Grade: AirGrade { air?.pm25Grade ?? .unspecified }
}

/// The weather around an instant.
package struct WeatherOutlook: Hashable, Sendable {
    /// The weather of a record.
    package struct Report: Hashable, Sendable {
        package let source: WeatherSource
        /// When the provider last answered.
        package let fetchedAt: Instant
        /// `true` if the record also contains the air's quality.
        package let hasAir: Bool
        /// The hours from one before the requested one to three after it, as far as the record has them.
        package let hours: [WeatherHour]
        /// The hour that contains the instant.
        package let hour: WeatherHour

        /// The credit that every client shows beside the hours.
        package var attribution: (text: String, url: String) {
            let (text, url) = source.attribution
            guard hasAir, source != .recorded else { return (text, url) }
            return ("\(text); air quality by Open-Meteo.com and CAMS (CC BY 4.0)", url)
        }
    }

    /// The availability of the weather.
    package let state: WeatherState
    /// The weather; nil unless the state is ready or stale.
    package let report: Report?

    /// An outlook without weather.
    package init(without state: WeatherState) {
        self.state = state
        report = nil
    }

    /// The outlook at an instant in a given state, with the record's hours if the state is ready or stale.
    package init(_ state: WeatherState, from record: WeatherRecord?, at instant: Instant) {
        self.state = state
        let isKnown = state == .ready || state == .stale
        report = isKnown ? record.flatMap { Report($0, at: instant) } : nil
    }
}

extension WeatherOutlook.Report {
    /// The report of a record at an instant; nil if the record does not cover it.
    package init?(_ record: WeatherRecord, at instant: Instant) {
        guard let index = record.index(at: instant) else { return nil }
        let middle = record.hours[index].at
        let wanted = (middle - .hours(1))...(middle + .hours(3))
        let wet = record.hours.filter { $0.condition.isWet }.map(\.at)
        let hours = record.hours.filter { wanted.contains($0.at) }.map { hour in
            let air = record.air.first { $0.at == hour.at }
            let isBad = air.map { $0.pm10Grade.isBad || $0.pm25Grade.isBad } ?? false
            return WeatherHour(
                forecast: hour,
                air: air,
                advice: WeatherAdvice.advice(for: hour, wetHours: wet, isAirBad: isBad)
            )
        }
        guard let hour = hours.first(where: { $0.forecast.at == middle }) else { return nil }
        source = record.source
        fetchedAt = record.fetchedAt
        hasAir = !record.air.isEmpty
        self.hours = hours
        self.hour = hour
    }
}
