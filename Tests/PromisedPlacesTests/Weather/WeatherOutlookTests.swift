import PromisedDomain
import PromisedPlaces
import Testing

@Suite struct WeatherOutlookTests {
    static let noon = WeatherAdviceTests.noon

    private static func record(_ hours: [Int64], air: [AirHour] = []) -> WeatherRecord {
        WeatherRecord(
            cell: .kma(x: 60, y: 127),
            source: .kma,
            fetchedAt: noon,
            hours: hours.map {
                ForecastHour(at: noon + .hours($0), condition: $0 == 5 ? .rain : .clear, temperatureCelsius: -1)
            },
            air: air
        )
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var minutes: Int64
        var hours: [Int64]
        var hour: Int64?
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "on the hour", minutes: 120, hours: [1, 2, 3, 4, 5], hour: 2),
        Row(name: "within an hour", minutes: 179, hours: [1, 2, 3, 4, 5], hour: 2),
        Row(name: "the first hour", minutes: 0, hours: [0, 1, 2, 3], hour: 0),
        Row(name: "less than an hour before the first", minutes: -60, hours: [0, 1, 2, 3], hour: 0),
        Row(name: "more than an hour before the first", minutes: -61, hours: [], hour: nil),
        Row(name: "the end of the last hour", minutes: 419, hours: [5, 6], hour: 6),
        Row(name: "after the last hour", minutes: 420, hours: [], hour: nil),
    ]

    @Test(arguments: rows)
    func `an outlook contains the hours from one before to three after`(_ row: Row) {
        let instant = Self.noon + .minutes(row.minutes)
        let outlook = WeatherOutlook(.ready, from: Self.record(Array(0...6)), at: instant)
        #expect(outlook.report?.hours.map { ($0.forecast.at - Self.noon).milliseconds / 3_600_000 } ?? [] == row.hours)
        #expect(outlook.report.map { ($0.hour.forecast.at - Self.noon).milliseconds / 3_600_000 } == row.hour)
    }

    @Test func `rain outside the shown hours makes frost within them slippery`() throws {
        let report = try #require(
            WeatherOutlook(.ready, from: Self.record(Array(0...8)), at: Self.noon + .hours(1)).report
        )
        #expect(report.hours.map(\.advice) == [[.good], [.good], [.slippery], [.slippery], [.slippery]])
    }

    @Test func `omits hours missing from the forecast`() throws {
        let report = try #require(
            WeatherOutlook(.stale, from: Self.record([0, 3, 4]), at: Self.noon + .hours(2)).report
        )
        #expect(report.hours.count == 2 && report.hour.forecast.at == Self.noon)
        #expect(!report.attribution.text.contains("air"))
    }

    @Test func `adds the air quality to its hour`() throws {
        let air = [
            AirHour(at: Self.noon, pm10: 101, pm25: nil), AirHour(at: Self.noon + .hours(1), pm10: 10, pm25: 26),
        ]
        let report = try #require(WeatherOutlook(.ready, from: Self.record([0, 1, 2], air: air), at: Self.noon).report)
        #expect(report.hasAir)
        #expect(report.attribution.text.hasPrefix("Korea Meteorological Administration"))
        #expect(report.attribution.text.hasSuffix("air quality by Open-Meteo.com and CAMS (CC BY 4.0)"))
        #expect(report.hours.map(\.pm10Grade) == [.veryBad, .good, .unspecified])
        #expect(report.hours.map(\.pm25Grade) == [.unspecified, .bad, .unspecified])
        #expect(report.hours.map(\.advice) == [[.dusty], [.dusty], [.good]])
    }

    @Test(arguments: [WeatherState.off, .pending, .beyond, .unavailable])
    func `shows weather in no other state`(_ state: WeatherState) {
        #expect(WeatherOutlook(state, from: Self.record([0, 1]), at: Self.noon).report == nil)
    }

    @Test func `keeps the current hour from the previous forecast`() {
        let old = Self.record([-8, -7, -6, -1, 0, 1]).hours
        let new = Self.record([0, 1, 2]).hours
        #expect(
            WeatherRecord.joined(old, new).map { ($0.at - Self.noon).milliseconds / 3_600_000 } == [-6, -1, 0, 1, 2]
        )
        #expect(WeatherRecord.joined(old, []).isEmpty)
    }
}
