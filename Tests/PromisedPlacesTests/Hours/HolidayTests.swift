import PromisedDomain
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct HolidayTests {
    @Test(
        .proves("11.6"),
        arguments: [
            // 2026-05-01 is a Friday.
            ("Mo-Fr 09:00-18:00; PH off", "2026-05-01 12:00", OpeningState.closed),
            ("Mo-Fr 09:00-18:00; PH off", "2026-05-08 12:00", .open),
            ("Mo-Fr 09:00-18:00; PH 10:00-12:00", "2026-05-01 12:00", .closed),
            ("Mo-Fr 09:00-18:00; PH 10:00-12:00", "2026-05-01 11:59", .open),
            ("Su,PH 10:00-12:00", "2026-05-01 10:00", .open), ("Su,PH 10:00-12:00", "2026-05-02 10:00", .closed),
            ("PH 22:00-02:00", "2026-05-02 01:59", .open), ("PH 22:00-02:00", "2026-05-02 22:00", .closed),
            ("May PH", "2026-05-01 10:00", .thatDay), ("Apr PH", "2026-05-01 10:00", .closed),
            // 2027 has no list: its days are ordinary.
            ("Mo-Fr 09:00-18:00; PH off", "2027-01-01 12:00", .open), ("PH 10:00-12:00", "2027-01-01 11:00", .closed),
        ]
    )
    func `uses the operator's list of holidays`(text: String, local: String, state: OpeningState) throws {
        let hours = try #require(OpeningHours(text))
        let instant = ZoneOffsets.berlin.instant(local)
        #expect(hours.state(at: instant, in: .berlin, holidays: .german2026) == state)
    }

    @Test(arguments: [
        ("Mo-Fr 09:00-18:00; PH off", "2026-05-01 12:00", false),
        ("Mo-Fr 09:00-18:00; PH off", "2027-01-01 12:00", true),
        // Irrelevant if the text does not name holidays.
        ("Mo-Fr 09:00-18:00", "2027-01-01 12:00", false), ("day 2,7", "2027-01-01 12:00", false),
        // The change is in a year without a list; and there is none before the end of the horizon, in such a year.
        ("Mo-Fr 09:00-18:00; PH off", "2026-12-31 19:00", true),
        ("Mo-Fr 09:00-18:00; PH off", "2026-12-31 17:00", false),
        ("Jun PH", "2026-11-25 12:00", false), ("Jun PH", "2026-11-28 12:00", true),
    ])
    func `an outlook reports a year without a list`(text: String, local: String, isUnknown: Bool) throws {
        let hours = try #require(OpeningHours(text))
        let outlook = hours.outlook(at: ZoneOffsets.berlin.instant(local), in: .berlin, holidays: .german2026)
        #expect(outlook.holidaysUnknown == isUnknown)
    }

    @Test(arguments: [
        ("PH off", "2026-12-25 12:00", false), ("PH off", "2026-12-26 12:00", true), ("Mo", "2027-05-01 12:00", false),
    ])
    func `a week reports a year without a list`(text: String, local: String, isUnknown: Bool) throws {
        let hours = try #require(OpeningHours(text))
        let week = hours.week(from: ZoneOffsets.berlin.instant(local), in: .berlin, holidays: .german2026)
        #expect(week.holidaysUnknown == isUnknown)
    }

    @Test func `rejects calendars with days that do not exist`() {
        #expect(HolidayCalendar([CivilDate(year: 2026, month: 2, day: 30)]) == nil)
        #expect(HolidayCalendar([]) == .empty)
        #expect(!HolidayCalendar.empty.knows(year: 2026))
        #expect(HolidayCalendar.german2026.knows(year: 2026) && !HolidayCalendar.german2026.knows(year: 2027))
    }
}
