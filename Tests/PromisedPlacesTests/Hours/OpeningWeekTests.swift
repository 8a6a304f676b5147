import PromisedDomain
import PromisedPlaces
import PromisedTestSupport
import Testing

@Suite struct OpeningWeekTests {
    private struct Row: CustomTestStringConvertible {
        let text: String
        /// From Monday, 2026-03-02: the spans of each day, or its state without any.
        let days: [String]
        var testDescription: String { text }

        init(_ text: String, _ days: String...) {
            self.text = text
            self.days = days
        }
    }

    @Test(arguments: [
        Row(
            "Mo-Fr 09:00-12:00,13:30-18:00; We off",
            "09:00-12:00 13:30-18:00",
            "09:00-12:00 13:30-18:00",
            "closed",
            "09:00-12:00 13:30-18:00",
            "09:00-12:00 13:30-18:00",
            "closed",
            "closed"
        ),
        Row(
            "24/7",
            "00:00-24:00",
            "00:00-24:00",
            "00:00-24:00",
            "00:00-24:00",
            "00:00-24:00",
            "00:00-24:00",
            "00:00-24:00"
        ),
        // Past midnight: with the day on which it begins, to 02:00 at the latest.
        Row("Fr-Sa 20:00-02:00", "closed", "closed", "closed", "closed", "20:00-26:00", "20:00-26:00", "closed"),
        Row("Fr-Sa 20:00-01:30", "closed", "closed", "closed", "closed", "20:00-25:30", "20:00-25:30", "closed"),
        Row("Fr 20:00-02:01", "closed", "closed", "closed", "closed", "20:00-24:00", "00:00-02:01", "closed"),
        Row("Fr 20:00-06:00", "closed", "closed", "closed", "closed", "20:00-24:00", "00:00-06:00", "closed"),
        Row("Fr 20:00-24:00", "closed", "closed", "closed", "closed", "20:00-24:00", "closed", "closed"),
        Row("Sa 00:00-02:00", "closed", "closed", "closed", "closed", "closed", "00:00-02:00", "closed"),
        // A day with its own rule follows that rule, although the previous night is unknown.
        Row("Fr 20:00-03:00; Sa off", "closed", "closed", "closed", "closed", "20:00-24:00", "closed", "closed"),
        Row(
            "Fr 20:00-03:00; Sa 12:00-14:00",
            "closed",
            "closed",
            "closed",
            "closed",
            "20:00-24:00",
            "12:00-14:00",
            "closed"
        ),
        // The night before today is not shown, the night after the last day is.
        Row("Su 22:00-02:00", "closed", "closed", "closed", "closed", "closed", "closed", "22:00-26:00"),
        // Days without times.
        Row(
            "Tu, Fr 08:00-13:00; Su unknown",
            "closed",
            "thatDay",
            "closed",
            "closed",
            "08:00-13:00",
            "closed",
            "unknown"
        ),
        Row("Mo 10:00-12:00, Mo", "10:00-12:00", "closed", "closed", "closed", "closed", "closed", "closed"),
        Row("day 2,7 09:00-18:00", "09:00-18:00", "closed", "closed", "closed", "closed", "09:00-18:00", "closed"),
    ])
    private func `a week has the spans of seven days`(row: Row) throws {
        let hours = try #require(OpeningHours(row.text))
        for local in ["2026-03-02 00:00", "2026-03-02 23:59"] {
            let week = hours.week(from: ZoneOffsets.seoul.instant(local), in: .seoul)
            #expect(week.days.map(\.date.day) == [2, 3, 4, 5, 6, 7, 8])
            #expect(week.days.map(text) == row.days)
            #expect(!week.holidaysUnknown)
        }
    }

    @Test func `today is the date on the clock of the place`() throws {
        let hours = try #require(OpeningHours("Mo 09:00-18:00"))
        let instant = try #require(Instant(rfc3339: "2026-12-31T15:00:00Z"))
        #expect(hours.week(from: instant, in: .seoul).days[0].date == .date("2027-01-01"))
        #expect(hours.week(from: instant, in: .berlin).days[0].date == .date("2026-12-31"))
    }

    private func text(_ day: OpeningDay) -> String {
        guard day.spans.isEmpty else {
            #expect(day.state == .open)
            return day.spans.map { "\($0.from)-\($0.to)" }.joined(separator: " ")
        }
        return "\(day.state)"
    }
}
