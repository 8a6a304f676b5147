internal import PromisedDomain
package import PromisedPlaces

/// The hours of a forecast as bytes.
///
/// ```
/// hour    = time − last time, condition, temperature, felt, chance, rain, snow, wind, gust, humidity
/// air     = time − last time, PM10, PM2.5; before the first hour 0 and the scale, unless it is the general one
/// measure = 0 missing, 1 and the eight bytes of the double, or 2 + hundredths, the sign in the lowest bit
/// ```
/// Times are in milliseconds. Decoding gives exactly the same numbers.
package enum WeatherCoding {
    /// Packs the hours of a forecast.
    package static func encode(_ hours: [ForecastHour]) -> [UInt8] {
        var writer = ByteWriter(expecting: hours.count * expectedHourBytes)
        var last = Instant(milliseconds: 0)
        for hour in hours {
            writer.write(signed: (hour.at - last).milliseconds)
            last = hour.at
            writer.write(code(of: hour.condition))
            for measure in measures(of: hour) { writer.write(measure: measure) }
        }
        return writer.bytes
    }

    /// Packs the hours of a forecast of the air; the scale of the first is that of all.
    package static func encode(_ air: [AirHour]) -> [UInt8] {
        var writer = ByteWriter(expecting: air.count * expectedHourBytes)
        if let scale = air.first?.scale, scale != .general {
            // No forecast is of 1970-01-01T00:00:00Z.
            writer.write(signed: 0)
            writer.write(code(of: scale))
        }
        var last = Instant(milliseconds: 0)
        for hour in air {
            writer.write(signed: (hour.at - last).milliseconds)
            last = hour.at
            writer.write(measure: hour.pm10)
            writer.write(measure: hour.pm25)
        }
        return writer.bytes
    }

    /// Unpacks the hours of a forecast. Throws ``StoreError/damaged(_:)``.
    package static func hours(_ bytes: [UInt8]) throws(StoreError) -> [ForecastHour] {
        var reader = ByteReader(bytes)
        var hours: [ForecastHour] = []
        while !reader.isAtEnd {
            hours.append(
                ForecastHour(
                    at: try reader.instant(after: hours.last?.at),
                    condition: try condition(try reader.byte()),
                    temperatureCelsius: try reader.measure(),
                    feltCelsius: try reader.measure(),
                    precipitationPercent: try reader.measure(),
                    precipitationMm: try reader.measure(),
                    snowCm: try reader.measure(),
                    windMps: try reader.measure(),
                    gustMps: try reader.measure(),
                    humidityPercent: try reader.measure()
                )
            )
        }
        return hours
    }

    /// Unpacks the hours of a forecast of the air. Throws ``StoreError/damaged(_:)``.
    package static func air(_ bytes: [UInt8]) throws(StoreError) -> [AirHour] {
        var reader = ByteReader(bytes)
        var hours: [AirHour] = []
        var scale = AirScale.general
        while !reader.isAtEnd {
            let at = try reader.instant(after: hours.last?.at)
            if hours.isEmpty, scale == .general, at == Instant(milliseconds: 0) {
                scale = try self.scale(try reader.byte())
                continue
            }
            hours.append(AirHour(at: at, pm10: try reader.measure(), pm25: try reader.measure(), scale: scale))
        }
        return hours
    }

    // MARK: - Parts

    private static let expectedHourBytes = 24
    /// Conditions by their codes. Append only: the codes are stored.
    private static let conditions: [WeatherCondition] = [
        .unknown, .clear, .partlyCloudy, .cloudy, .fog, .drizzle, .rain, .heavyRain, .sleet, .snow, .heavySnow,
        .thunderstorm,
    ]

    /// Scales by their codes. Append only: the codes are stored.
    private static let scales: [AirScale] = [.general, .korea]

    /// In stored order.
    private static func measures(of hour: ForecastHour) -> [Double?] {
        [
            hour.temperatureCelsius, hour.feltCelsius, hour.precipitationPercent, hour.precipitationMm, hour.snowCm,
            hour.windMps, hour.gustMps, hour.humidityPercent,
        ]
    }

    private static func code(of condition: WeatherCondition) -> UInt8 {
        guard let code = conditions.firstIndex(of: condition) else {
            preconditionFailure("Every condition has a code")
        }
        return UInt8(code)
    }

    private static func code(of scale: AirScale) -> UInt8 {
        guard let code = scales.firstIndex(of: scale) else { preconditionFailure("Every scale has a code") }
        return UInt8(code)
    }

    private static func scale(_ code: UInt8) throws(StoreError) -> AirScale {
        // The general one is not written.
        guard scales.indices.contains(Int(code)), code != 0 else { throw .damaged("An unknown scale of the air") }
        return scales[Int(code)]
    }

    private static func condition(_ code: UInt8) throws(StoreError) -> WeatherCondition {
        guard conditions.indices.contains(Int(code)) else { throw .damaged("An unknown condition of the weather") }
        return conditions[Int(code)]
    }
}

extension ByteWriter {
    fileprivate mutating func write(measure: Double?) {
        guard let measure else { return write(UInt64(0)) }
        if let hundredths = measure.steps(per: 100) {
            // The largest measure is 100,000 µg/m³: doubling it and adding two cannot overflow.
            write(UInt64(hundredths.magnitude) << 1 + (hundredths < 0 ? 3 : 2))
        } else {
            write(UInt64(1))
            write(fixed: measure.bitPattern)
        }
    }
}

extension ByteReader {
    fileprivate mutating func measure() throws(StoreError) -> Double? {
        switch try number() {
        case 0: return nil
        case 1: return Double(bitPattern: try fixed())
        case let number:
            let hundredths = Double((number - 2) >> 1)
            return (number.isMultiple(of: 2) ? hundredths : -hundredths) / 100
        }
    }

    fileprivate mutating func instant(after last: Instant?) throws(StoreError) -> Instant {
        let (milliseconds, isBeyond) = (last?.milliseconds ?? 0).addingReportingOverflow(try signed())
        guard !isBeyond else { throw .damaged("A time of a forecast out of range") }
        return Instant(milliseconds: milliseconds)
    }
}
