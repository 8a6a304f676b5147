/// The condition of an hour's weather.
package enum WeatherCondition: String, Hashable, Sendable, CaseIterable, Codable {
    /// The provider's answer has no condition, or an unreadable one.
    case unknown
    /// No clouds, or very few.
    case clear
    /// Some clouds.
    case partlyCloudy
    /// Overcast.
    case cloudy
    case fog
    case drizzle
    case rain
    /// 7.5 mm of rain in the hour or more, or heavy by the provider's classification.
    case heavyRain
    /// Rain and snow, or rain that freezes.
    case sleet
    case snow
    /// 2 cm of snow in the hour or more, or heavy by the provider's classification.
    case heavySnow
    /// Thunder.
    case thunderstorm

    /// `true` for precipitation that makes the ground wet.
    package var isWet: Bool {
        switch self {
        case .drizzle, .rain, .heavyRain, .sleet, .snow, .heavySnow, .thunderstorm: true
        case .unknown, .clear, .partlyCloudy, .cloudy, .fog: false
        }
    }

    /// The condition with the amounts of the hour, which make rain and snow heavy.
    package func with(precipitationMm: Double?, snowCm: Double?) -> WeatherCondition {
        switch self {
        case .rain where precipitationMm.map { $0 >= 7.5 } ?? false: .heavyRain
        case .snow where snowCm.map { $0 >= 2 } ?? false: .heavySnow
        default: self
        }
    }
}
