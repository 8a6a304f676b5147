import PromisedDomain
import Testing

@Suite struct QuietHoursTests {
    @Test(arguments: [("00:00", 0), ("07:05", 425), ("22:30", 1_350), ("23:59", 1_439)])
    func `a time of day has hours and minutes`(_ text: String, _ minutes: Int) {
        #expect(ClockTime(text)?.minutes == minutes)
        #expect(ClockTime(text)?.text == text)
    }

    @Test(arguments: [
        "", "7:05", "24:00", "23:60", "22.30", "22:3", "22:300", "2a:30", "-1:30", " 22:30", "22:30 ", "22-30", "２２:30",
        "::::",
    ])
    func `rejects other texts as time of day`(_ text: String) {
        #expect(ClockTime(text) == nil)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var from: String
        var to: String
        var now: String
        var end: String?
        /// Seconds ahead of UTC.
        var ahead = 0
        var testDescription: String { "\(from)–\(to) at \(now), \(ahead) s ahead" }

        init(_ from: String, _ to: String, at now: String, ahead: Int = 0, endsAt end: String?) {
            self.from = from
            self.to = to
            self.now = now
            self.ahead = ahead
            self.end = end
        }
    }

    static let cases: [Case] = [
        // Across midnight: before, on and after each end.
        Case("22:30", "07:00", at: "2026-11-21T22:29:59.999Z", endsAt: nil),
        Case("22:30", "07:00", at: "2026-11-21T22:30:00Z", endsAt: "2026-11-22T07:00:00Z"),
        Case("22:30", "07:00", at: "2026-11-21T23:59:59.999Z", endsAt: "2026-11-22T07:00:00Z"),
        Case("22:30", "07:00", at: "2026-11-22T00:00:00Z", endsAt: "2026-11-22T07:00:00Z"),
        Case("22:30", "07:00", at: "2026-11-22T06:59:59.999Z", endsAt: "2026-11-22T07:00:00Z"),
        Case("22:30", "07:00", at: "2026-11-22T07:00:00Z", endsAt: nil),
        Case("22:30", "07:00", at: "2026-11-22T12:00:00Z", endsAt: nil),
        // Within a day.
        Case("13:00", "14:00", at: "2026-11-22T12:59:59.999Z", endsAt: nil),
        Case("13:00", "14:00", at: "2026-11-22T13:00:00Z", endsAt: "2026-11-22T14:00:00Z"),
        Case("13:00", "14:00", at: "2026-11-22T13:59:59.999Z", endsAt: "2026-11-22T14:00:00Z"),
        Case("13:00", "14:00", at: "2026-11-22T14:00:00Z", endsAt: nil),
        // To and from midnight.
        Case("23:00", "00:00", at: "2026-12-31T23:30:00Z", endsAt: "2027-01-01T00:00:00Z"),
        Case("23:00", "00:00", at: "2027-01-01T00:00:00Z", endsAt: nil),
        Case("00:00", "06:00", at: "2027-01-01T00:00:00Z", endsAt: "2027-01-01T06:00:00Z"),
        // All but a minute.
        Case("07:01", "07:00", at: "2026-11-22T07:00:59Z", endsAt: nil),
        Case("07:01", "07:00", at: "2026-11-22T07:01:00Z", endsAt: "2026-11-23T07:00:00Z"),
        // Seoul, Kathmandu, Honolulu.
        Case("22:30", "07:00", at: "2026-11-21T13:30:00Z", ahead: 32_400, endsAt: "2026-11-21T22:00:00Z"),
        Case("22:30", "07:00", at: "2026-11-21T13:29:00Z", ahead: 32_400, endsAt: nil),
        Case("22:30", "07:00", at: "2026-11-21T17:00:00Z", ahead: 20_700, endsAt: "2026-11-22T01:15:00Z"),
        Case("22:30", "07:00", at: "2026-11-22T08:30:00Z", ahead: -36_000, endsAt: "2026-11-22T17:00:00Z"),
        // Before 1970.
        Case("22:30", "07:00", at: "1969-12-31T23:00:00Z", endsAt: "1970-01-01T07:00:00Z"),
    ]

    @Test(arguments: cases)
    func `quiet hours include their beginning and exclude their end`(_ row: Case) throws {
        let hours = try #require(Sample.hours(row.from, row.to))
        let ahead = row.ahead
        let now = try #require(Instant(rfc3339: row.now))
        #expect(hours.end(at: now, on: UserClock { _ in ahead })?.rfc3339 == row.end)
    }

    /// Berlin in 2026: forward at 01:00 UTC on March 29, back at 01:00 UTC on October 25.
    static let berlin = UserClock { instant in
        let summer = Instant(milliseconds: 1_774_746_000_000)..<Instant(milliseconds: 1_792_890_000_000)
        return summer.contains(instant) ? 7_200 : 3_600
    }

    static let changes: [Case] = [
        // Forward between beginning and end: the night is an hour shorter.
        Case("22:30", "07:00", at: "2026-03-28T22:00:00Z", endsAt: "2026-03-29T05:00:00Z"),
        Case("22:30", "07:00", at: "2026-03-29T01:00:00Z", endsAt: "2026-03-29T05:00:00Z"),
        // The clock skips the end, from 02:00 to 03:00.
        Case("22:30", "02:30", at: "2026-03-28T23:00:00Z", endsAt: "2026-03-29T01:00:00Z"),
        Case("22:30", "02:30", at: "2026-03-29T00:59:59.999Z", endsAt: "2026-03-29T01:00:00Z"),
        Case("22:30", "02:30", at: "2026-03-29T01:00:00Z", endsAt: nil),
        Case("22:30", "02:00", at: "2026-03-28T23:00:00Z", endsAt: "2026-03-29T01:00:00Z"),
        Case("22:30", "03:00", at: "2026-03-28T23:00:00Z", endsAt: "2026-03-29T01:00:00Z"),
        Case("22:30", "03:01", at: "2026-03-28T23:00:00Z", endsAt: "2026-03-29T01:01:00Z"),
        // The clock skips the beginning.
        Case("02:30", "07:00", at: "2026-03-29T00:59:59.999Z", endsAt: nil),
        Case("02:30", "07:00", at: "2026-03-29T01:00:00Z", endsAt: "2026-03-29T05:00:00Z"),
        // Back between beginning and end: the night is an hour longer.
        Case("22:30", "07:00", at: "2026-10-24T21:00:00Z", endsAt: "2026-10-25T06:00:00Z"),
        // Back across the beginning: local time is outside for another half hour.
        Case("02:30", "01:45", at: "2026-10-25T00:59:00Z", endsAt: "2026-10-25T01:00:00Z"),
        Case("02:30", "01:45", at: "2026-10-25T01:30:00Z", endsAt: "2026-10-26T00:45:00Z"),
        // The end occurs twice, and the first one applies.
        Case("22:30", "02:30", at: "2026-10-24T21:00:00Z", endsAt: "2026-10-25T00:30:00Z"),
        Case("22:30", "02:30", at: "2026-10-25T00:30:00Z", endsAt: nil),
        Case("22:30", "02:30", at: "2026-10-25T01:00:00Z", endsAt: "2026-10-25T01:30:00Z"),
        Case("22:30", "03:00", at: "2026-10-24T21:00:00Z", endsAt: "2026-10-25T02:00:00Z"),
    ]

    @Test(arguments: changes)
    func `changes of the clock move the end`(_ row: Case) throws {
        let hours = try #require(Sample.hours(row.from, row.to))
        let now = try #require(Instant(rfc3339: row.now))
        #expect(hours.end(at: now, on: Self.berlin)?.rfc3339 == row.end)
    }

    @Test(arguments: ["22:30-07:00", "13:00-14:00", "00:00-02:30", "02:00-03:00", "02:30-01:45"])
    func `the end is the first minute outside, on days with and without changes`(_ text: String) throws {
        let parts = text.split(separator: "-").map(String.init)
        let hours = try #require(Sample.hours(parts[0], parts[1]))
        for day in ["2026-03-28T12:00:00Z", "2026-07-01T12:00:00Z", "2026-10-24T12:00:00Z"] {
            let start = try #require(Instant(rfc3339: day))
            // Backwards from the last minute: the naive end of each minute is the next minute, or that minute's end.
            var next: Instant?
            var isQuietNext = false
            var wrong: [Instant] = []
            for minute in (0..<2_880 as Range<Int64>).reversed() {
                let now = start + .minutes(minute)
                let end = hours.end(at: now, on: Self.berlin)
                if end != nil, minute < 2_879, end != (isQuietNext ? next : now + .minutes(1)) { wrong.append(now) }
                isQuietNext = end != nil
                next = end
            }
            #expect(wrong.isEmpty)
        }
    }

    @Test func `settings accept both times or neither`() throws {
        let none = NotificationSettings()
        #expect(none.quietFrom.isEmpty && none.quietTo.isEmpty)
        let night = try none.edited(off: [.nudged], quietFrom: "22:30", quietTo: "07:00")
        #expect(night.quietFrom == "22:30" && night.quietTo == "07:00" && night.off == [.nudged])
        #expect(try night.edited(off: []) == NotificationSettings(quietHours: Sample.night))
        #expect(try night.edited(off: [], quietTo: "06:00").quietTo == "06:00")
        #expect(try night.edited(off: [], quietFrom: "", quietTo: "") == none)
    }

    @Test(
        arguments: [
            ("25:00", "07:00", "quietFrom"), ("22:30", "7", "quietTo"), ("22:30", "", "quietTo"),
            ("", "07:00", "quietTo"),
            ("22:30", nil, "quietTo"), (nil, "07:00", "quietTo"), ("07:00", "07:00", "quietTo"),
            ("x", "y", "quietFrom"),
        ] as [(String?, String?, String)]
    )
    func `rejects other settings`(_ from: String?, _ to: String?, _ field: String) {
        #expect(throws: Refusal.invalid(field: field)) {
            try NotificationSettings().edited(off: [], quietFrom: from, quietTo: to)
        }
    }
}
