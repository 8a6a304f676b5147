import PromisedDomain
import Testing

@Suite struct CivilDateTests {
    @Test(arguments: [
        (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (1900, 3, 1, -25_508),
        (1, 1, 1, -719_162), (0, 12, 31, -719_163), (9999, 12, 31, 2_932_896),
    ])
    func `converts between a day and its number`(year: Int64, month: Int64, day: Int64, number: Int64) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(date.daysSince1970 == number)
        #expect(CivilDate(daysSince1970: number) == date)
    }

    @Test(arguments: [
        (2023, 2, 29), (1900, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1), (2024, 1, 0),
        (2024, 1, 32),
    ])
    func `rejects a day that does not exist`(year: Int64, month: Int64, day: Int64) {
        #expect(CivilDate(year: year, month: month, day: day).daysSince1970 == nil)
    }

    @Test func `days follow one another`() {
        var before = CivilDate(daysSince1970: -800_000)
        for number in Int64(-799_999)...800_000 {
            let date = CivilDate(daysSince1970: number)
            let isNext =
                date.day == before.day + 1 && date.month == before.month && date.year == before.year
                || date.day == 1
                    && (date.month == before.month + 1 && date.year == before.year
                        || date.month == 1 && before.month == 12 && date.year == before.year + 1)
            guard isNext else { return #expect(isNext, "\(number)") }
            before = date
        }
    }
}
