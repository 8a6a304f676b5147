package import PromisedDomain

/// The quality of the air, by one kind of particles.
package enum AirGrade: String, Hashable, Sendable, CaseIterable, Codable {
    /// Unknown.
    case unspecified
    case good
    case moderate
    case bad
    case veryBad

    /// The grade of a concentration of particles up to 10 µm, in µg/m³.
    package init(pm10: Double?, on scale: AirScale = .general) { self.init(pm10, upperEnds: scale.pm10) }

    /// The grade of a concentration of particles up to 2.5 µm, in µg/m³.
    package init(pm25: Double?, on scale: AirScale = .general) { self.init(pm25, upperEnds: scale.pm25) }

    private init(_ concentration: Double?, upperEnds: AirScale.Ends) {
        guard let concentration else {
            self = .unspecified
            return
        }
        if concentration <= upperEnds.good {
            self = .good
        } else if concentration <= upperEnds.moderate {
            self = .moderate
        } else {
            self = concentration <= upperEnds.bad ? .bad : .veryBad
        }
    }

    /// `true` from ``bad`` on.
    package var isBad: Bool { self == .bad || self == .veryBad }
}

/// A hint for people on the way, in the order of its weight. The words are stable.
package enum WeatherAdvice: String, Hashable, Sendable, CaseIterable, Codable {
    /// Thunder, heavy rain or snow, or gusts of 20 m/s and more.
    case dangerous
    /// Anything else that makes the ground wet, or frost within 3 h of it.
    case slippery
    /// Fog, unknown weather, or wind of 9 m/s and more.
    case careful
    /// Bad air.
    case dusty
    /// Felt temperature of 33 °C and more.
    case hot
    /// Felt temperature of −5 °C and less.
    case freezing
    /// None of the above.
    case good

    /// How far rain or snow reaches in time when the ground freezes.
    package static let wetReach = TimeSpan.hours(3)

    /// The advice for an hour, in the order of the cases; `[.good]` without any warning.
    ///
    /// Without a felt temperature from the provider, the measured one is used.
    ///
    /// - Parameters:
    ///   - wetHours: the beginnings of the hours in which rain or snow falls.
    ///   - isAirBad: `true` if one of the grades is ``AirGrade/bad`` or worse.
    package static func advice(for hour: ForecastHour, wetHours: [Instant], isAirBad: Bool) -> [WeatherAdvice] {
        let felt = hour.feltCelsius ?? hour.temperatureCelsius
        var advice: [WeatherAdvice] = []
        if isDangerous(hour) { advice.append(.dangerous) }
        if isSlippery(hour, wetHours: wetHours) { advice.append(.slippery) }
        if isCareful(hour) { advice.append(.careful) }
        if isAirBad { advice.append(.dusty) }
        if let felt, felt >= 33 { advice.append(.hot) }
        if let felt, felt <= -5 { advice.append(.freezing) }
        return advice.isEmpty ? [.good] : advice
    }

    private static func isDangerous(_ hour: ForecastHour) -> Bool {
        if let gust = hour.gustMps, gust >= 20 { return true }
        switch hour.condition {
        case .thunderstorm, .heavyRain, .heavySnow: return true
        case .unknown, .clear, .partlyCloudy, .cloudy, .fog, .drizzle, .rain, .sleet, .snow: return false
        }
    }

    private static func isSlippery(_ hour: ForecastHour, wetHours: [Instant]) -> Bool {
        switch hour.condition {
        case .drizzle, .rain, .sleet, .snow: return true
        case .unknown, .clear, .partlyCloudy, .cloudy, .fog, .heavyRain, .heavySnow, .thunderstorm: break
        }
        guard let temperature = hour.temperatureCelsius, temperature <= 0 else { return false }
        return wetHours.contains { hour.at - wetReach <= $0 && $0 <= hour.at + wetReach }
    }

    private static func isCareful(_ hour: ForecastHour) -> Bool {
        if let wind = hour.windMps, wind >= 9 { return true }
        return hour.condition == .fog || hour.condition == .unknown
    }
}
