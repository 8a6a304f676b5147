import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct OpeningChangeTests {
    private struct Row: CustomTestStringConvertible {
        let text: String
        let at: String
        let state: OpeningState
        /// Nil for none within 35 days.
        let change: (at: String, state: OpeningState)?
        var testDescription: String { "\(text) at \(at)" }

        init(_ text: String, _ at: String, _ state: OpeningState, _ change: (at: String, state: OpeningState)?) {
            self.text = text
            self.at = at
            self.state = state
            self.change = change
        }
    }

    @Test(
        .proves("11.5"),
        arguments: [
            Row("Mo 09:00-18:00", "2026-03-02 08:59", .closed, ("2026-03-02 09:00", .open)),
            Row("Mo 09:00-18:00", "2026-03-02 09:00", .open, ("2026-03-02 18:00", .closed)),
            Row("Mo 09:00-18:00", "2026-03-02 18:00", .closed, ("2026-03-09 09:00", .open)),
            Row("24/7", "2026-03-02 12:00", .open, nil), Row("off", "2026-03-02 12:00", .closed, nil),
            Row("2018 Jan 14 11:00-17:00", "2026-03-02 12:00", .closed, nil),
            // Neighbouring spans are one.
            Row("Mo 09:00-12:00,12:00-18:00", "2026-03-02 10:00", .open, ("2026-03-02 18:00", .closed)),
            Row("Mo-We 00:00-24:00", "2026-03-02 10:00", .open, ("2026-03-05 00:00", .closed)),
            Row("Fr 20:00-02:00", "2026-03-06 21:00", .open, ("2026-03-07 02:00", .closed)),
            Row("Tu", "2026-03-02 12:00", .closed, ("2026-03-03 00:00", .thatDay)),
            Row("Mo; Mo 12:00-13:00 unknown", "2026-03-02 12:00", .unknown, ("2026-03-02 13:00", .closed)),
            // 35 days: the last one counts, a minute more does not.
            Row("Apr 6 12:00-13:00", "2026-03-02 12:00", .closed, ("2026-04-06 12:00", .open)),
            Row("Apr 6 12:00-13:00", "2026-03-02 11:59", .closed, nil),
        ]
    )
    private func `finds the next change within 35 days`(row: Row) throws {
        let hours = try #require(OpeningHours(row.text))
        let zone = ZoneOffsets.seoul
        let outlook = hours.outlook(at: zone.instant(row.at), in: zone)
        #expect(outlook.state == row.state)
        #expect(outlook.change?.at == row.change.map { zone.instant($0.at) })
        #expect(outlook.change?.state == row.change?.state)
        #expect(outlook.closesAt == (row.state == .open ? outlook.change?.at : nil))
        #expect(outlook.opensAt == (row.change?.state == .open ? outlook.change?.at : nil))
        #expect(!outlook.holidaysUnknown)
    }

    @Test func `counts 35 days to the millisecond`() throws {
        let hours = try #require(OpeningHours("Apr 6 12:00-13:00"))
        let opens = ZoneOffsets.seoul.instant("2026-04-06 12:00")
        for (early, found) in [(Int64(0), true), (1, false)] {
            let instant = opens - OpeningOutlook.horizon - .milliseconds(early)
            #expect((hours.outlook(at: instant, in: .seoul).change != nil) == found)
        }
    }

    @Test(
        .proves("11.5"),
        arguments: [
            // Clocks go from 02:00 to 03:00 at 01:00 UTC.
            ("Su 02:30-04:00", "2026-03-29T00:59:00Z", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"),
            ("Su 01:00-02:30", "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z", "2026-04-04T23:00:00Z"),
            // Clocks go from 03:00 to 02:00 at 01:00 UTC, so 02:30 occurs twice.
            ("Su 00:00-02:30", "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z"),
            ("Su 00:00-02:30", "2026-10-25T01:10:00Z", "2026-10-25T01:30:00Z", "2026-10-31T23:00:00Z"),
            ("Su 02:00-03:00", "2026-10-25T00:10:00Z", "2026-10-25T02:00:00Z", "2026-11-01T01:00:00Z"),
        ]
    )
    func `changes follow the clock through daylight saving time`(
        text: String,
        at: String,
        next: String,
        afterNext: String
    ) throws {
        let hours = try #require(OpeningHours(text))
        let instant = try #require(Instant(rfc3339: at))
        let first = try #require(hours.outlook(at: instant, in: .berlin).change)
        #expect(first.at.rfc3339 == next)
        #expect(hours.outlook(at: first.at, in: .berlin).change?.at.rfc3339 == afterNext)
    }

    @Test func `a change of the clock can repeat the previous day`() throws {
        // A minute after midnight of 2026-11-01 clocks go back to 23:01, as they did in Newfoundland.
        let zone = ZoneOffsets(
            offsetSeconds: 3_600,
            transitions: [.init(at: ZoneOffsets.utc.instant("2026-10-31 23:01"), offsetSeconds: 0)]
        )
        let outlook = try #require(OpeningHours("PH off; Nov")).outlook(at: zone.instant("2026-11-01 00:00"), in: zone)
        #expect(outlook.state == .thatDay)
        #expect(outlook.change?.at.rfc3339 == "2026-10-31T23:01:00Z")
        #expect(outlook.change?.state == .closed)
        #expect(outlook.holidaysUnknown)
    }

    private static let texts = [
        "Mo-Fr 09:00-18:00; We off", "Fr-Su 20:00-02:30", "Su 01:30-02:30", "00:00-02:10,02:50-24:00",
        "24/7; Su 02:00-03:00 off",
        "Mo 08:00-12:00, Th[1] 15:00-19:00; PH off", "day 5,0 22:00-03:00", "Tu, Fr 08:00-13:00",
        "Mar 28-Apr 2 || Oct 25 01:00-04:00",
        "Mo-Sa 10:00-18:00 || 12:00-13:00 unknown", "Dec 31 18:00-26:00; Jan 1 off", "2026 Mar 29 02:15-02:45", "Mo",
    ]

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `the next change equals the first minute of a scan`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        // The days around changes of the clock and of the year.
        let starts = ["2026-03-27 00:00", "2026-10-23 00:00", "2026-12-30 00:00", "2026-04-03 00:00"]
        for text in Self.texts {
            let hours = try #require(OpeningHours(text))
            let zone = try #require([ZoneOffsets.berlin, .adelaide, .newYork].randomElement(using: &generator))
            let start = zone.instant(try #require(starts.randomElement(using: &generator)))
            let instant = start + .minutes(Int64.random(in: 0..<5_760, using: &generator))
            let found = hours.outlook(at: instant, in: zone, holidays: .german2026)
            let expected = scan(hours, from: instant, in: zone)
            #expect(found.change?.at == expected?.at, "seed \(seed), \(text), \(instant.rfc3339)")
            #expect(found.change?.state == expected?.state, "seed \(seed), \(text), \(instant.rfc3339)")
        }
    }

    /// Evaluates each minute of 35 days.
    private func scan(
        _ hours: OpeningHours,
        from instant: Instant,
        in zone: ZoneOffsets
    ) -> (at: Instant, state: OpeningState)? {
        let state = hours.state(at: instant, in: zone, holidays: .german2026)
        for minute in Int64(1)...35 * 1_440 {
            let at = instant + .minutes(minute)
            let next = hours.state(at: at, in: zone, holidays: .german2026)
            if next != state { return (at, next) }
        }
        return nil
    }
}
