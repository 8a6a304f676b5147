import Foundation
import PromisedDomain
import PromisedPlaces
import Testing

@Suite struct WeatherAdviceTests {
    static let noon = Instant(milliseconds: 1_795_262_400_000)

    struct Grade: Sendable {
        var pm10: Double?
        var pm25: Double?
        var pm10Grade: AirGrade
        var pm25Grade: AirGrade
    }

    static let grades: [Grade] = [
        Grade(pm10: nil, pm25: nil, pm10Grade: .unspecified, pm25Grade: .unspecified),
        Grade(pm10: 0, pm25: 0, pm10Grade: .good, pm25Grade: .good),
        // Upper ends are included.
        Grade(pm10: 30, pm25: 15, pm10Grade: .good, pm25Grade: .good),
        Grade(pm10: 30.1, pm25: 15.1, pm10Grade: .moderate, pm25Grade: .moderate),
        Grade(pm10: 50, pm25: 25, pm10Grade: .moderate, pm25Grade: .moderate),
        Grade(pm10: 50.1, pm25: 25.1, pm10Grade: .bad, pm25Grade: .bad),
        Grade(pm10: 100, pm25: 50, pm10Grade: .bad, pm25Grade: .bad),
        Grade(pm10: 100.1, pm25: 50.1, pm10Grade: .veryBad, pm25Grade: .veryBad),
    ]

    @Test(arguments: grades)
    func `air has its grade`(_ row: Grade) {
        #expect(AirGrade(pm10: row.pm10) == row.pm10Grade)
        #expect(AirGrade(pm25: row.pm25) == row.pm25Grade)
    }

    /// 환경부: 미세먼지 30, 80, 150, 초미세먼지 15, 35, 75.
    @Test(arguments: [
        (30.0, 15.0, AirGrade.good), (30.1, 15.1, .moderate), (80, 35, .moderate), (80.1, 35.1, .bad), (150, 75, .bad),
        (150.1, 75.1, .veryBad),
    ])
    func `air in Korea has Korea's grade`(pm10: Double, pm25: Double, grade: AirGrade) {
        let hour = AirHour(at: Self.noon, pm10: pm10, pm25: pm25, scale: .korea)
        #expect(hour.pm10Grade == grade && hour.pm25Grade == grade)
        #expect(hour.graded(on: .general).scale == .general && hour.graded(on: .general).pm10 == pm10)
    }

    @Test(arguments: [
        ("Seoul", 37.57, 126.98, true), ("Busan", 35.18, 129.07, true), ("Jeju", 33.5, 126.5, true),
        ("Dokdo", 37.24, 131.87, true), ("Geoje", 34.85, 128.7, true), ("Tsushima", 34.4, 129.3, false),
        ("Fukuoka", 33.6, 130.4, false), ("Matsue", 35.47, 133.05, false), ("Qingdao", 36.07, 120.38, false),
        ("Berlin", 52.5, 13.4, false),
    ])
    func `the scale is Korea's in Korea, unless the operator chose one`(
        name: String,
        latitude: Double,
        longitude: Double,
        isKorean: Bool
    ) {
        let point = Coordinate(latitude: latitude, longitude: longitude)
        #expect(AirGrading.local.scale(at: point) == (isKorean ? .korea : .general))
        #expect(AirGrading.general.scale(at: point) == .general && AirGrading.korea.scale(at: point) == .korea)
    }

    @Test func `an hour of the air without a scale in JSON has the general one`() throws {
        let old = Data(#"{"at":1795262400000,"pm10":60}"#.utf8)
        let hour = try JSONDecoder().decode(AirHour.self, from: old)
        #expect(hour.scale == .general && hour.pm10Grade == .bad)
        let korean = try JSONEncoder().encode(hour.graded(on: .korea))
        #expect(try JSONDecoder().decode(AirHour.self, from: korean).pm10Grade == .moderate)
        #expect(try JSONDecoder().decode(AirHour.self, from: JSONEncoder().encode(hour)) == hour)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var hour: ForecastHour
        var wetAfter: TimeSpan?
        var isAirBad = false
        var advice: [WeatherAdvice]
        var testDescription: String { name }
    }

    private static func hour(
        _ condition: WeatherCondition,
        temperature: Double? = 15,
        felt: Double? = nil,
        mm: Double? = nil,
        snow: Double? = nil,
        wind: Double? = nil,
        gust: Double? = nil
    ) -> ForecastHour {
        ForecastHour(
            at: noon,
            condition: condition,
            temperatureCelsius: temperature,
            feltCelsius: felt,
            precipitationMm: mm,
            snowCm: snow,
            windMps: wind,
            gustMps: gust
        )
    }

    static let cases: [Case] = [
        // Each condition by itself.
        Case(name: "clear", hour: hour(.clear), advice: [.good]),
        Case(name: "partly cloudy", hour: hour(.partlyCloudy), advice: [.good]),
        Case(name: "cloudy", hour: hour(.cloudy), advice: [.good]),
        Case(name: "fog", hour: hour(.fog), advice: [.careful]),
        Case(name: "unknown", hour: hour(.unknown), advice: [.careful]),
        Case(name: "drizzle", hour: hour(.drizzle), advice: [.slippery]),
        Case(name: "rain", hour: hour(.rain), advice: [.slippery]),
        Case(name: "sleet", hour: hour(.sleet), advice: [.slippery]),
        Case(name: "snow", hour: hour(.snow), advice: [.slippery]),
        Case(name: "heavy rain", hour: hour(.heavyRain), advice: [.dangerous]),
        Case(name: "heavy snow", hour: hour(.heavySnow), advice: [.dangerous]),
        Case(name: "thunder", hour: hour(.thunderstorm), advice: [.dangerous]),
        // Amounts.
        Case(name: "7.4 mm of rain", hour: hour(.rain, mm: 7.4), advice: [.slippery]),
        Case(name: "7.5 mm of rain", hour: hour(.rain, mm: 7.5), advice: [.dangerous]),
        Case(name: "1.9 cm of snow", hour: hour(.snow, snow: 1.9), advice: [.slippery]),
        Case(name: "2 cm of snow", hour: hour(.snow, snow: 2), advice: [.dangerous]),
        Case(name: "7.5 mm of drizzle", hour: hour(.drizzle, mm: 7.5), advice: [.slippery]),
        // Wind: before and on.
        Case(name: "wind of 8.9 m/s", hour: hour(.clear, wind: 8.9), advice: [.good]),
        Case(name: "wind of 9 m/s", hour: hour(.clear, wind: 9), advice: [.careful]),
        Case(name: "gusts of 19.9 m/s", hour: hour(.clear, gust: 19.9), advice: [.good]),
        Case(name: "gusts of 20 m/s", hour: hour(.clear, gust: 20), advice: [.dangerous]),
        // Frost after rain and before it.
        Case(
            name: "frost 3 h before rain",
            hour: hour(.clear, temperature: 0),
            wetAfter: .hours(3),
            advice: [.slippery]
        ),
        Case(name: "frost 4 h before rain", hour: hour(.clear, temperature: 0), wetAfter: .hours(4), advice: [.good]),
        Case(
            name: "frost 3 h after rain",
            hour: hour(.clear, temperature: -1),
            wetAfter: .hours(-3),
            advice: [.slippery]
        ),
        Case(name: "frost 4 h after rain", hour: hour(.clear, temperature: -1), wetAfter: .hours(-4), advice: [.good]),
        Case(name: "0.1 °C after rain", hour: hour(.clear, temperature: 0.1), wetAfter: .hours(-1), advice: [.good]),
        Case(name: "frost without rain", hour: hour(.clear, temperature: -1), advice: [.good]),
        // Felt temperatures, and the measured one if missing.
        Case(name: "32.9 °C felt", hour: hour(.clear, felt: 32.9), advice: [.good]),
        Case(name: "33 °C felt", hour: hour(.clear, felt: 33), advice: [.hot]),
        Case(name: "−4.9 °C felt", hour: hour(.clear, felt: -4.9), advice: [.good]),
        Case(name: "−5 °C felt", hour: hour(.clear, felt: -5), advice: [.freezing]),
        Case(name: "33 °C measured", hour: hour(.clear, temperature: 33), advice: [.hot]),
        Case(name: "33 °C measured, 30 felt", hour: hour(.clear, temperature: 33, felt: 30), advice: [.good]),
        Case(name: "no temperature", hour: hour(.clear, temperature: nil), advice: [.good]),
        // Several at once, in order of priority.
        Case(name: "dust", hour: hour(.clear), isAirBad: true, advice: [.dusty]),
        Case(
            name: "everything cold",
            hour: hour(.heavySnow, temperature: -12, wind: 12, gust: 25),
            wetAfter: .zero,
            isAirBad: true,
            advice: [.dangerous, .slippery, .careful, .dusty, .freezing]
        ),
    ]

    @Test(arguments: cases)
    func `an hour has its advice`(_ row: Case) {
        let wetHours = row.wetAfter.map { [Self.noon + $0] } ?? []
        #expect(WeatherAdvice.advice(for: row.hour, wetHours: wetHours, isAirBad: row.isAirBad) == row.advice)
    }

    @Test func `omits impossible values`() {
        let hour = ForecastHour(
            at: Self.noon,
            condition: .rain,
            temperatureCelsius: -999,
            feltCelsius: .nan,
            precipitationPercent: 101,
            precipitationMm: -1,
            snowCm: .infinity,
            windMps: -0.1,
            gustMps: 999,
            humidityPercent: 100
        )
        #expect(hour == ForecastHour(at: Self.noon, condition: .rain, humidityPercent: 100))
        #expect(ForecastHour(at: Self.noon, condition: .clear, temperatureCelsius: 12.34).temperatureCelsius == 12.3)
        #expect(AirHour(at: Self.noon, pm10: -1, pm25: 12) == AirHour(at: Self.noon, pm10: nil, pm25: 12))
    }
}
