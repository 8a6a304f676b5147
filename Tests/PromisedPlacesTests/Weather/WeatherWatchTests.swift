import PromisedDomain
import PromisedPlaces
import Testing

@Suite struct WeatherWatchTests {
    static let meeting = WeatherAdviceTests.noon

    /// Minutes from the meeting time: now, and the next fetch.
    static let prefetches: [(now: Int64, next: Int64?)] = [
        (-1_441, -1_440), (-1_440, -180), (-181, -180), (-180, -30), (-31, -30), (-30, nil), (5, nil),
    ]

    @Test(arguments: prefetches)
    func `fetches a cell a day, three hours and half an hour ahead`(now: Int64, next: Int64?) {
        let instant = WeatherWatch.nextPrefetch(forMeetingAt: Self.meeting, after: Self.meeting + .minutes(now))
        #expect(instant == next.map { Self.meeting + .minutes($0) })
    }

    @Test func `a span holds the instants from its start to before its end`() {
        let span = (Self.meeting - .hours(24))..<(Self.meeting - .minutes(30))
        #expect(
            WeatherWatch.prefetches(forMeetingAt: Self.meeting, in: span) == [
                span.lowerBound, Self.meeting - .hours(3),
            ]
        )
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        /// Minutes before the meeting time.
        var lead: Int64 = 60
        var old: (condition: WeatherCondition, temperature: Double?)?
        var new: (condition: WeatherCondition, temperature: Double?)?
        var hasTurned = false
        var isChange = false
        var isTurn = false
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        // Temperature: before and on the step, both ways.
        Case(name: "the same", old: (.clear, 10), new: (.clear, 10)),
        Case(name: "2.9 °C more", old: (.clear, 10), new: (.clear, 12.9)),
        Case(name: "3 °C more", old: (.clear, 10), new: (.clear, 13), isChange: true),
        Case(name: "3 °C less", old: (.clear, 10.1), new: (.clear, 7.1), isChange: true),
        Case(name: "a temperature that is lost", old: (.clear, 10), new: (.clear, nil)),
        // Advice.
        Case(name: "clouds", old: (.clear, 10), new: (.cloudy, 10)),
        Case(name: "fog", old: (.clear, 10), new: (.fog, 10), isChange: true),
        Case(name: "rain", old: (.clear, 10), new: (.rain, 10), isChange: true, isTurn: true),
        Case(name: "rain after rain", old: (.drizzle, 10), new: (.rain, 10)),
        Case(name: "thunder after rain", old: (.rain, 10), new: (.thunderstorm, 10), isChange: true, isTurn: true),
        Case(name: "no rain after all", old: (.rain, 10), new: (.clear, 10), isChange: true),
        Case(name: "rain again", old: (.clear, 10), new: (.rain, 10), hasTurned: true, isChange: true),
        // No condition before or after.
        Case(name: "rain, first heard of", new: (.rain, 10), isTurn: true),
        Case(name: "sun, first heard of", new: (.clear, 10)),
        Case(name: "no weather any more", old: (.rain, 10)),
        // The times: before, on.
        Case(name: "rain, more than 24 h ahead", lead: 1_441, old: (.clear, 10), new: (.rain, 10)),
        Case(name: "rain, 24 h ahead", lead: 1_440, old: (.clear, 10), new: (.rain, 10), isChange: true),
        Case(name: "rain, more than 3 h ahead", lead: 181, old: (.clear, 10), new: (.rain, 10), isChange: true),
        Case(name: "rain, 3 h ahead", lead: 180, old: (.clear, 10), new: (.rain, 10), isChange: true, isTurn: true),
    ]

    private static func hour(_ glance: (condition: WeatherCondition, temperature: Double?)?) -> WeatherHour? {
        guard let glance else { return nil }
        let forecast = ForecastHour(at: meeting, condition: glance.condition, temperatureCelsius: glance.temperature)
        let record = WeatherRecord(
            cell: .kma(x: 60, y: 127),
            source: .kma,
            fetchedAt: meeting,
            hours: [forecast]
        )
        return WeatherOutlook(.ready, from: record, at: meeting).report?.hour
    }

    @Test(arguments: cases)
    func `decides if a refresh is news`(_ row: Case) {
        let news = WeatherWatch.news(
            from: Self.hour(row.old),
            to: Self.hour(row.new),
            meetingAt: Self.meeting,
            now: Self.meeting - .minutes(row.lead),
            hasTurned: row.hasTurned
        )
        #expect(news.isChange == row.isChange)
        #expect(news.isTurn == row.isTurn)
    }
}
