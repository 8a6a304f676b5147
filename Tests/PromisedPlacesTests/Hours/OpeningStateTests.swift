import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct OpeningStateTests {
    /// In Seoul; 2026-03-02 is a Monday.
    struct Row: CustomTestStringConvertible {
        let text: String
        let states: [(local: String, state: OpeningState)]
        var testDescription: String { text }

        init(_ text: String, _ states: (local: String, state: OpeningState)...) {
            self.text = text
            self.states = states
        }
    }

    @Test(arguments: [
        // One before, on and after each end.
        Row(
            "Mo 09:00-18:00",
            ("2026-03-02 08:59", .closed),
            ("2026-03-02 09:00", .open),
            ("2026-03-02 17:59", .open),
            ("2026-03-02 18:00", .closed),
            ("2026-03-03 12:00", .closed)
        ),
        Row("24/7", ("2026-03-02 00:00", .open), ("2026-03-08 23:59", .open)),
        Row("24/7 off", ("2026-03-02 12:00", .closed)),
        // To midnight, and past it.
        Row("Mo 10:00+", ("2026-03-02 09:59", .closed), ("2026-03-02 23:59", .open), ("2026-03-03 00:00", .closed)),
        Row(
            "Fr 20:00-26:00",
            ("2026-03-06 01:00", .closed),
            ("2026-03-06 20:00", .open),
            ("2026-03-07 01:59", .open),
            ("2026-03-07 02:00", .closed)
        ),
        Row("Mo 10:00-10:00", ("2026-03-02 10:00", .open), ("2026-03-03 09:59", .open), ("2026-03-03 10:00", .closed)),
        Row("Dec 31 22:00-03:00", ("2027-01-01 02:59", .open), ("2027-01-01 22:30", .closed)),
    ])
    func `a span includes its start and excludes its end`(row: Row) throws { try check(row) }

    @Test(arguments: [
        Row("Mo", ("2026-03-01 23:59", .closed), ("2026-03-02 00:00", .thatDay), ("2026-03-02 23:59", .thatDay)),
        Row("open", ("2026-03-02 12:00", .thatDay)),
        Row("\"by appointment\"", ("2026-03-02 12:00", .thatDay)),
        Row("Mo open; Tu off", ("2026-03-02 12:00", .thatDay), ("2026-03-03 12:00", .closed)),
        // The blank after the comma makes two rules.
        Row(
            "Tu, Fr 08:00-13:00",
            ("2026-03-03 05:00", .thatDay),
            ("2026-03-06 05:00", .closed),
            ("2026-03-06 08:00", .open)
        ),
        Row(
            "Mo 10:00-12:00, Mo",
            ("2026-03-02 09:59", .thatDay),
            ("2026-03-02 10:00", .open),
            ("2026-03-02 12:00", .thatDay)
        ),
        Row("Mo; 12:00-13:00 off", ("2026-03-02 11:59", .thatDay), ("2026-03-02 12:00", .closed)),
        Row("Mo 00:00-24:00", ("2026-03-02 12:00", .open)),
    ])
    func `a rule without times applies to the whole day`(row: Row) throws { try check(row) }

    @Test(arguments: [
        Row("unknown", ("2026-03-02 12:00", .unknown)),
        Row("Mo-Fr 09:00-18:00; We unknown", ("2026-03-04 12:00", .unknown), ("2026-03-05 12:00", .open)),
        Row("Mo 10:00-18:00 unknown, Mo 12:00-14:00", ("2026-03-02 11:00", .unknown), ("2026-03-02 12:00", .open)),
        Row("Mo 10:00-18:00, Mo 12:00-14:00 unknown", ("2026-03-02 11:00", .open), ("2026-03-02 12:00", .unknown)),
        Row("Mo 10:00-18:00 \"ask for Kim\"", ("2026-03-02 12:00", .open)),
    ])
    func `a rule can state an unknown time`(row: Row) throws { try check(row) }

    @Test(
        .proves("11.5"),
        arguments: [
            // A later rule replaces the earlier ones on the days that it names.
            Row("Mo-Fr 09:00-18:00; We 10:00-11:00", ("2026-03-04 09:00", .closed), ("2026-03-04 10:00", .open)),
            Row("Mo-Fr 09:00-18:00; We", ("2026-03-04 09:00", .thatDay)),
            // A closing rule removes its times.
            Row("Mo-Fr 09:00-18:00; We 12:00-13:00 off", ("2026-03-04 11:59", .open), ("2026-03-04 12:00", .closed)),
            Row("Mo-Fr 09:00-18:00; We off", ("2026-03-04 12:00", .closed)),
            // An additional rule does not replace others.
            Row("Mo-Fr 09:00-11:00, We 15:00-18:00", ("2026-03-04 09:00", .open), ("2026-03-04 15:00", .open)),
            // The small hours belong to the day that a rule names.
            Row(
                "Fr 20:00-02:00; Sa 10:00-12:00",
                ("2026-03-06 23:59", .open),
                ("2026-03-07 00:00", .unknown),
                ("2026-03-07 01:59", .unknown),
                ("2026-03-07 02:00", .closed),
                ("2026-03-07 10:00", .open)
            ),
            Row("Fr 20:00-02:00, Sa 10:00-12:00", ("2026-03-07 01:00", .open)),
            // Hours after midnight that no later rule replaces stay.
            Row("Mo-Su 10:00-18:00; Fr 20:00-02:00", ("2026-03-07 01:00", .open), ("2026-03-07 12:00", .open)),
            Row("Fr 20:00-02:00 || unknown", ("2026-03-07 01:00", .open), ("2026-03-07 02:00", .unknown)),
        ]
    )
    func `later rules replace, cut or extend earlier ones`(row: Row) throws { try check(row) }

    @Test(
        .proves("11.5"),
        arguments: [
            // A bar of the field trial, on a Friday night and the others.
            Row(
                "Mo-We 10:00-01:00; Th,Fr 10:00-03:00; Sa 12:00-03:00; Su 12:00-01:00",
                ("2026-03-07 02:00", .unknown),
                ("2026-03-06 02:00", .open),
                ("2026-03-08 02:00", .unknown),
                ("2026-03-09 00:30", .open),
                ("2026-03-09 01:00", .closed),
                ("2026-03-07 03:00", .closed),
                ("2026-03-07 12:00", .open)
            ),
            // A closed day: the previous night continues after midnight.
            Row(
                "Fr 20:00-03:00; Sa off",
                ("2026-03-07 02:00", .unknown),
                ("2026-03-07 03:00", .closed),
                ("2026-03-07 12:00", .closed)
            ),
            Row(
                "Mo-Sa 18:00-02:00; Su off",
                ("2026-03-08 01:59", .unknown),
                ("2026-03-08 02:00", .closed),
                ("2026-03-08 18:00", .closed),
                ("2026-03-09 01:00", .closed)
            ),
            Row("Mo-Sa 18:00-02:00, Su closed \"rest\"", ("2026-03-08 01:00", .unknown), ("2026-03-08 20:00", .closed)),
            // Of several days with their own rule only the first follows a night.
            Row(
                "Mo-Su 18:00-02:00; Mar 5-10 off",
                ("2026-03-05 01:00", .unknown),
                ("2026-03-06 01:00", .closed),
                ("2026-03-10 01:00", .closed)
            ),
            Row(
                "Mo-Su 18:00-02:00; Mar 5-10 12:00-14:00",
                ("2026-03-05 01:00", .unknown),
                ("2026-03-06 01:00", .closed)
            ),
            // A rule closes its times or opens them.
            Row("Fr 20:00-03:00; Sa 12:00-20:00; Sa 00:00-03:00 off", ("2026-03-07 02:00", .closed)),
            Row(
                "Fr 20:00-03:00; Sa 00:00-04:00,12:00-20:00",
                ("2026-03-07 02:00", .open),
                ("2026-03-07 05:00", .closed)
            ),
            Row(
                "Fr 20:00-03:00; Sa 12:00-20:00; Sa 01:00-02:00 off",
                ("2026-03-07 01:30", .closed),
                ("2026-03-07 02:30", .unknown)
            ),
            Row(
                "Fr 20:00-03:00; Sa 12:00-20:00, Sa 02:00-02:30",
                ("2026-03-07 02:00", .open),
                ("2026-03-07 02:30", .unknown)
            ),
            // The replaced hours are not of the night: hours of the same day, a closed night, a fallback's.
            Row("Sa 00:00-03:00; Sa 12:00-20:00", ("2026-03-07 02:00", .closed)),
            Row("Fr 20:00-03:00 off; Sa 12:00-20:00", ("2026-03-07 02:00", .closed)),
            Row("Fr 20:00-03:00; Sa 12:00-20:00 || unknown", ("2026-03-07 02:00", .unknown)),
            Row("Fr 20:00-03:00; Sa", ("2026-03-07 02:00", .thatDay)),
            // A holiday's own hours.
            Row("Mo-Su 18:00-02:00; Mar 07 12:00-14:00", ("2026-03-07 01:00", .unknown), ("2026-03-07 02:00", .closed)),
        ]
    )
    func `hours after midnight are unknown on a day with its own rule`(row: Row) throws { try check(row) }

    @Test(arguments: [
        Row("Mo-Fr 09:00-12:00 || 14:00-15:00", ("2026-03-06 14:00", .closed), ("2026-03-07 14:00", .open)),
        Row("Mo-Fr 09:00-12:00; We off || 14:00-15:00", ("2026-03-04 14:00", .open), ("2026-03-05 14:00", .closed)),
        Row("We off || Tu 10:00-11:00 || 14:00-15:00", ("2026-03-03 14:00", .closed), ("2026-03-04 14:00", .open)),
        Row("We off || Tu 20:00-02:00 || 14:00-15:00", ("2026-03-04 01:00", .open), ("2026-03-04 14:00", .open)),
        Row("We off || 14:00-15:00; We 16:00-17:00", ("2026-03-04 14:00", .closed), ("2026-03-04 16:00", .open)),
        // A rule with a reason for closing excludes the fallback.
        Row("Sa off \"moved\" || 14:00-15:00", ("2026-03-07 14:00", .closed), ("2026-03-08 14:00", .open)),
        Row("Mo 09:00-12:00 || \"ask\"", ("2026-03-02 13:00", .closed), ("2026-03-03 13:00", .thatDay)),
    ])
    func `a fallback applies to days without other hours`(row: Row) throws { try check(row) }

    @Test(arguments: [
        Row("Mar 02", ("2026-03-01 23:59", .closed), ("2026-03-02 00:00", .thatDay), ("2026-03-03 00:00", .closed)),
        Row("Oct-Mar", ("2026-09-30 12:00", .closed), ("2026-10-01 00:00", .thatDay), ("2027-04-01 00:00", .closed)),
        Row(
            "Dec 24-Jan 2",
            ("2026-12-23 12:00", .closed),
            ("2026-12-24 00:00", .thatDay),
            ("2027-01-03 00:00", .closed)
        ),
        Row("Feb 29", ("2027-02-28 12:00", .closed), ("2027-03-01 12:00", .closed), ("2028-02-29 12:00", .thatDay)),
        Row("Feb 20-Feb 29", ("2027-02-28 12:00", .thatDay), ("2027-03-01 00:00", .closed)),
        Row(
            "Feb 29-Mar 2",
            ("2027-02-28 12:00", .closed),
            ("2027-03-01 00:00", .thatDay),
            ("2027-03-03 00:00", .closed)
        ),
        Row("2026", ("2025-12-31 23:59", .closed), ("2026-01-01 00:00", .thatDay), ("2027-01-01 00:00", .closed)),
        // A year before months applies to all of them, a year in a date to that date.
        Row(
            "2026 Mar,Dec",
            ("2026-12-01 12:00", .thatDay),
            ("2027-03-01 12:00", .closed),
            ("2027-12-01 12:00", .closed)
        ),
        Row("2026 Mar 3,Dec 3", ("2027-03-03 12:00", .closed), ("2027-12-03 12:00", .thatDay)),
        Row("2027+", ("2026-12-31 23:59", .closed), ("2029-01-01 00:00", .thatDay)),
        Row(
            "2026 Dec 20-Jan 6",
            ("2027-01-06 12:00", .thatDay),
            ("2027-01-07 00:00", .closed),
            ("2027-12-20 12:00", .closed)
        ),
        Row("Th[1]", ("2026-03-05 12:00", .thatDay), ("2026-03-12 12:00", .closed)),
        Row("Th[5]", ("2026-03-26 12:00", .closed), ("2026-04-30 12:00", .thatDay)),
        Row("Sa[-1]", ("2026-03-21 12:00", .closed), ("2026-03-28 12:00", .thatDay), ("2026-12-26 12:00", .thatDay)),
        Row("Tu[-2]", ("2026-03-24 12:00", .thatDay), ("2026-03-31 12:00", .closed)),
    ])
    func `a rule applies to its days`(row: Row) throws { try check(row) }

    private func check(_ row: Row) throws {
        let hours = try #require(OpeningHours(row.text))
        for (local, state) in row.states {
            #expect(hours.state(at: ZoneOffsets.seoul.instant(local), in: .seoul) == state, "\(local)")
        }
    }
}
