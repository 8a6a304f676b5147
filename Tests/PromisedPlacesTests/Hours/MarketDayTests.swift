import PromisedDomain
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// `day 2,7`: the days of the month whose last digit is 2 or 7.
@Suite struct MarketDayTests {
    private struct Cycle: CustomTestStringConvertible {
        let digits: String
        /// In a leap February, and on the 29th to the 31st of other months.
        let days: Set<Int64>
        var testDescription: String { digits }
    }

    private static let cycles = [
        Cycle(digits: "1,6", days: [1, 6, 11, 16, 21, 26, 31]), Cycle(digits: "2,7", days: [2, 7, 12, 17, 22, 27]),
        Cycle(digits: "3,8", days: [3, 8, 13, 18, 23, 28]), Cycle(digits: "4,9", days: [4, 9, 14, 19, 24, 29]),
        Cycle(digits: "5,0", days: [5, 10, 15, 20, 25, 30]),
        Cycle(digits: "2,4,7,9", days: [2, 4, 7, 9, 12, 14, 17, 19, 22, 24, 27, 29]),
    ]

    @Test(.proves("11.6"), arguments: cycles)
    private func `finds market days in a leap February`(cycle: Cycle) throws {
        let hours = try #require(OpeningHours("day \(cycle.digits) 09:00-18:00"))
        for day in Int64(1)...29 {
            let state: OpeningState = cycle.days.contains(day) ? .open : .closed
            #expect(hours.state(at: noon(month: 2, day), in: .seoul) == state, "February \(day)")
        }
    }

    @Test(.proves("11.6"), arguments: cycles)
    private func `finds market days at the end of a long month`(cycle: Cycle) throws {
        let hours = try #require(OpeningHours("day \(cycle.digits) 09:00-18:00"))
        for day in Int64(28)...31 {
            let state: OpeningState = cycle.days.contains(day) ? .open : .closed
            #expect(hours.state(at: noon(month: 7, day), in: .seoul) == state, "July \(day)")
        }
        #expect(hours.state(at: noon(month: 8, 1), in: .seoul) == (cycle.days.contains(1) ? .open : .closed))
    }

    @Test(arguments: [
        ("day 2,7", "2028-02-12 12:00", OpeningState.thatDay), ("day 2,7", "2028-02-13 12:00", .closed),
        ("day 2,7 09:00-18:00", "2028-02-12 08:59", .closed), ("day 2,7 09:00-18:00", "2028-02-12 09:00", .open),
        // Narrowed by months and weekdays: 2028-02-12 is a Saturday.
        ("day 2,7 Sa", "2028-02-12 12:00", .thatDay), ("day 2,7 Sa", "2028-02-17 12:00", .closed),
        ("Mar-Oct day 2,7", "2028-02-12 12:00", .closed), ("Feb day 2,7: 09:00-18:00", "2028-02-12 12:00", .open),
        // A permanent market with additional market days.
        ("Mo-Sa 08:00-20:00, day 5,0 06:00-22:00", "2028-02-20 06:00", .open),
        ("Mo-Sa 08:00-20:00, day 5,0 06:00-22:00", "2028-02-27 12:00", .closed),
        ("day 2,7 20:00-02:00", "2028-02-13 01:00", .open), ("day 2,7; PH off", "2028-02-12 12:00", .thatDay),
    ])
    func `combines endings of days with the other parts`(text: String, local: String, state: OpeningState) throws {
        let hours = try #require(OpeningHours(text))
        #expect(hours.state(at: ZoneOffsets.seoul.instant(local), in: .seoul) == state)
    }

    @Test func `the next market day after February 29 of a 4-9 market is March 4`() throws {
        let hours = try #require(OpeningHours("day 4,9 09:00-18:00"))
        let outlook = hours.outlook(at: ZoneOffsets.seoul.instant("2028-02-29 18:00"), in: .seoul)
        #expect(outlook.state == .closed)
        #expect(outlook.opensAt == ZoneOffsets.seoul.instant("2028-03-04 09:00"))
    }

    private func noon(month: Int64, _ day: Int64) -> Instant {
        guard let number = CivilDate(year: 2_028, month: month, day: day).daysSince1970 else {
            preconditionFailure("2028 has no day \(day) in month \(month)")
        }
        return ZoneOffsets.seoul.instant(ofLocalMilliseconds: number * 86_400_000 + 43_200_000)
    }
}
