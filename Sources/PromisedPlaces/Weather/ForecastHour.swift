package import PromisedDomain

/// An hour of a forecast from a provider. Unknown values are nil.
package struct ForecastHour: Hashable, Sendable, Codable {
    package let at: Instant
    /// The condition, including the amounts.
    package let condition: WeatherCondition
    /// Degrees Celsius, to 0.1.
    package let temperatureCelsius: Double?
    /// Degrees Celsius, to 0.1.
    package let feltCelsius: Double?
    /// The chance of rain or snow, 0…100.
    package let precipitationPercent: Double?
    /// Millimetres in the hour.
    package let precipitationMm: Double?
    /// Centimetres of new snow in the hour.
    package let snowCm: Double?
    /// Metres per second.
    package let windMps: Double?
    /// Metres per second.
    package let gustMps: Double?
    /// 0…100.
    package let humidityPercent: Double?

    /// An hour; impossible values (negative amounts, more than 100 percent, 80 °C) become nil.
    package init(
        at: Instant,
        condition: WeatherCondition,
        temperatureCelsius: Double? = nil,
        feltCelsius: Double? = nil,
        precipitationPercent: Double? = nil,
        precipitationMm: Double? = nil,
        snowCm: Double? = nil,
        windMps: Double? = nil,
        gustMps: Double? = nil,
        humidityPercent: Double? = nil
    ) {
        let degrees = -100.0...80
        self.at = at
        self.temperatureCelsius = temperatureCelsius.within(degrees).map { ($0 * 10).rounded() / 10 }
        self.feltCelsius = feltCelsius.within(degrees).map { ($0 * 10).rounded() / 10 }
        self.precipitationPercent = precipitationPercent.within(0...100)
        self.precipitationMm = precipitationMm.within(0...1_000)
        self.snowCm = snowCm.within(0...1_000)
        self.windMps = windMps.within(0...150)
        self.gustMps = gustMps.within(0...150)
        self.humidityPercent = humidityPercent.within(0...100)
        self.condition = condition.with(precipitationMm: self.precipitationMm, snowCm: self.snowCm)
    }
}

/// An hour of a forecast of the air's quality.
package struct AirHour: Hashable, Sendable, Codable {
    package let at: Instant
    /// Particles up to 10 µm, in µg/m³.
    package let pm10: Double?
    /// Particles up to 2.5 µm, in µg/m³.
    package let pm25: Double?

    /// The name of the scale; nil for the general one, as in hours stored before there were others.
    private let grades: AirScale?

    /// An hour; impossible values become nil.
    package init(at: Instant, pm10: Double?, pm25: Double?, scale: AirScale = .general) {
        self.at = at
        self.pm10 = pm10.within(0...100_000)
        self.pm25 = pm25.within(0...100_000)
        grades = scale == .general ? nil : scale
    }

    /// The scale of the grades.
    package var scale: AirScale { grades ?? .general }
    /// The grade of particles up to 10 µm.
    package var pm10Grade: AirGrade { AirGrade(pm10: pm10, on: scale) }
    /// The grade of particles up to 2.5 µm.
    package var pm25Grade: AirGrade { AirGrade(pm25: pm25, on: scale) }

    /// The hour with another scale.
    package func graded(on scale: AirScale) -> AirHour { AirHour(at: at, pm10: pm10, pm25: pm25, scale: scale) }
}

extension Double? {
    /// The number if it lies in `range`, else nil.
    fileprivate func within(_ range: ClosedRange<Double>) -> Double? {
        flatMap { range.contains($0) ? $0 : nil }
    }
}
