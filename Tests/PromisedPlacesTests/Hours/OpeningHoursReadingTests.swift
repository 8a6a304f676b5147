import PromisedPlaces
import PromisedTestMarks
import Testing

@Suite struct OpeningHoursReadingTests {
    @Test(
        .proves("11.4"),
        arguments: [
            // Complete texts without days or times.
            "24/7", "24/7 open", "24/7 \"always\"", "open", "off", "closed", "unknown", "\"by appointment\"",
            // Times.
            "09:00-18:00", "9:00-18:00", "09:00-12:00,13:00-18:00", "22:00-02:00", "22:00-26:00", "10:00+",
            "00:00-24:00",
            // Weekdays.
            "Mo", "Mo-Fr 09:00-18:00", "Sa-Mo", "Mo,We,Fr 09:00-18:00", "Th[1]", "Sa[-1] 10:00-12:00", "Mo[1,3-4,-1]",
            // Dates.
            "Mar", "Oct-Mar: 08:00-17:00", "Mar 3", "Mar 03 10:00-12:00", "Mar 3-10", "Oct 01-Apr 02 Sa", "Feb 29",
            "Mar,Jun,Sep 10:00-12:00", "Mar 3:10:00-12:00", "Dec 24-Dec 26,Dec 31 off",
            // Years.
            "2026", "2026 10:00-12:00", "2026-2028 Mo", "2026+ Mo", "2026,2028 Mar 3", "2026 Mar", "2026 Dec-Feb",
            "2026 Mar,May 3", "2026 Mar 3",
            "2026 Dec 20-2027 Jan 6", "2026 Dec 20-Jan 6", "2026 Mar 3,2027 Apr 5 10:00-12:00",
            // Holidays.
            "PH off", "Mo-Fr,PH 10:00-12:00", "PH,Su 10:00-12:00",
            // Endings of days.
            "day 2,7", "day 2,7 09:00-18:00", "day 0", "Mar-Oct day 5,0: 09:00-18:00", "day 4,9 Sa 09:00-18:00",
            // Several rules.
            "Mo 09:00-12:00; Tu 10:00-12:00", "Mo 09:00-12:00, Tu 10:00-12:00", "Mo 09:00-12:00 || unknown",
            "Mo 09:00-12:00,Tu 10:00-12:00", "Mo-Fr 09:00-18:00; PH off; Dec 24 09:00-12:00 \"short\"",
            // Modifiers and comments.
            "Mo 09:00-12:00 open", "Mo 09:00-12:00 off", "Mo unknown \"ask; or call, 010-1234 || mail\"",
            "Mo closed \"x\"",
        ]
    )
    func `reads texts of the grammar`(text: String) {
        #expect(OpeningHours(text) != nil)
    }

    @Test(
        .proves("11.4"),
        arguments: [
            // An empty text, and empty rules.
            "", " ", ";", "Mo;", "; Mo", "Mo;; Tu", "Mo ||", "Mo 09:00-12:00,", "Mo, ", "Mo:",
            // Parts that are left out on purpose.
            "SH off", "Mo-Fr 09:00-18:00; SH off", "week 10 Mo", "easter off", "easter -2 days", "sunrise-sunset",
            "Mo sunrise-12:00", "Mo 10:00-sunset", "Mo (sunset-01:00)-22:00", "dawn-dusk", "Su-sunset",
            "PH +1 day off", "Sa[-1] +1 day", "Mar 3 +2 days", "Mar Su[1]-Oct Su[-1] 10:00-12:00",
            "Mo 10:00-12:00/00:30", "Mo 10:00-12:00+", "2020-2030/2 Mo", "PH Mo 10:00-12:00",
            "\"winter\": Mo 10:00-12:00",
            // Times that do not exist, or are not ranges.
            "Mo 24:00-26:00", "Mo 25:00-26:00", "Mo 10:00-26:01", "Mo 10:00-27:00", "Mo 10:60-12:00", "Mo 10:00-12:60",
            "Mo 10:00", "10:00", "Mo 10-12", "Mo 10.00-12.00", "Mo 10:0-12:00", "Mo 010:00-12:00", "Mo 10:00-",
            "Mo -12:00",
            "10:00am-12:00", "Mo 10:00 12:00",
            // Days that do not exist.
            "Mx", "Monday", "Mo-Xx", "Mo-PH", "Mo[0]", "Mo[6]", "Mo[1", "Mo[]", "Mo[3-1]", "Mo[--1]", "Mo-Tu[1]", "Mo-",
            "Feb 30", "Apr 31 10:00-12:00", "Mar 32", "Mar 0", "Mar 3-0", "Mar 3-Apr", "Mar 3,5", "Mar-3", "Mar-",
            "Foo 3",
            "2026 Feb 29", "1899", "2026-2025", "2026 Mar,2027 May", "2026-2027 2028 Mar", "2026 Mar 3-2025 Mar 3",
            "Dec 20-2027 Jan 6", "202 Mar",
            "day", "day 10", "day 2,", "day 2,12", "day x", "day 2-7", "days 2",
            // Incomplete parts, and characters that belong to no part.
            "Mo 09:00-12:00 x", "Mo 09:00-12:00 \"x", "Mo 09:00-12:00 \"x\" \"y\"", "\"x\" Mo", "Mo off open",
            "24/7 Mo",
            "Mo 24/7", "24/24", "Mo10:00-12:00", "Mo,10:00-12:00", "Mo,", "Mo|Tu", "Mo | Tu", "Mo\n", "Mo–Fr", "월-금",
            "매일", "Mo 09:00-18:00\u{0}", "closed 09:00-18:00",
        ]
    )
    func `any other text is unreadable as a whole`(text: String) {
        #expect(OpeningHours(text) == nil)
    }

    @Test(arguments: [
        ("mo-fr 9:00-18:00", "Mo-Fr 09:00-18:00"),
        ("MO-FR 09:00-18:00; ph OFF", "Mo-Fr 09:00-18:00; PH off"),
        ("  Mo-Fr   09:00-18:00  ;  Sa  10:00-12:00  ", "Mo-Fr 09:00-18:00; Sa 10:00-12:00"),
        ("Mo-Fr 09:00-18:00;Sa 10:00-12:00", "Mo-Fr 09:00-18:00; Sa 10:00-12:00"),
        ("Mo-Fr 09:00 - 18:00", "Mo-Fr 09:00-18:00"), ("Mo - Fr 09:00-18:00", "Mo-Fr 09:00-18:00"),
        ("Mo-Fr 09:00-12:00 , 13:00-18:00", "Mo-Fr 09:00-12:00,13:00-18:00"),
        ("Mo ,Tu 09:00-12:00", "Mo,Tu 09:00-12:00"), ("Mo-We 09:00-12:00", "Mo,Tu,We 09:00-12:00"),
        ("Apr - Sep We 16:00-23:00;Oct - Mar We 16:00-22:00", "Apr-Sep We 16:00-23:00; Oct-Mar We 16:00-22:00"),
        ("Oct 1 - Apr 2: 10:00-12:00", "Oct 01-Apr 02 10:00-12:00"), ("2026 - 2027 Mo", "2026-2027 Mo"),
        ("Mar 3-Mar 5", "Mar 3-5"), ("2026 Dec 20-Jan 6", "2026 Dec 20-2027 Jan 6"), ("2026Mar 3", "2026 Mar 3"),
        ("Mo unknown \"ask\"", "Mo unknown"), ("Mo OFF", "Mo closed"),
        ("Mo 09:00-12:00 open \"bell\"", "Mo 09:00-12:00"),
        ("day 7, 2", "day 2,7"), ("DAY  2 , 7", "day 2,7"), ("22:00-02:00", "22:00-26:00"), ("10:00+", "10:00-24:00"),
        ("Mo 09:00-12:00||Tu", "Mo 09:00-12:00 || Tu"), ("\tMo\t09:00-12:00", "Mo 09:00-12:00"),
    ])
    func `reads variants of a rule as equal`(text: String, plain: String) throws {
        let hours = try #require(OpeningHours(text))
        #expect(hours == OpeningHours(plain))
    }

    @Test func `a text has at most 64 rules`() {
        #expect(OpeningHours(Array(repeating: "Mo", count: 64).joined(separator: ";")) != nil)
        #expect(OpeningHours(Array(repeating: "Mo", count: 65).joined(separator: ";")) == nil)
    }
}
