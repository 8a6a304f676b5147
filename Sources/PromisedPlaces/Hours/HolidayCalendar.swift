package import PromisedDomain

/// The public holidays that the operator lists, `PH` of opening hours.
package struct HolidayCalendar: Hashable, Sendable {
    /// Days since 1970-01-01, ascending.
    private let days: [Int64]
    /// The years with at least one listed day.
    private let years: Set<Int64>

    /// A calendar of the given days, in any order; nil if one of them does not exist, such as February 30.
    package init?(_ dates: [CivilDate]) {
        let numbers = dates.compactMap(\.daysSince1970)
        guard numbers.count == dates.count else { return nil }
        days = Set(numbers).sorted()
        years = Set(dates.map(\.year))
    }

    private init() {
        days = []
        years = []
    }

    /// A calendar without a list for any year.
    package static let empty = HolidayCalendar()

    /// The listed days, ascending.
    package var dates: [CivilDate] { days.map { CivilDate(daysSince1970: $0) } }

    /// `true` if the operator listed holidays for the year. Without a list all its days count as ordinary days.
    package func knows(year: Int64) -> Bool { years.contains(year) }

    /// `true` if the day, counted from 1970-01-01, is a listed holiday.
    func contains(dayNumber: Int64) -> Bool {
        var (low, high) = (0, days.count)
        while low < high {
            let middle = (low + high) / 2
            if days[middle] < dayNumber { low = middle + 1 } else { high = middle }
        }
        return low < days.count && days[low] == dayNumber
    }
}

/// A day of the local calendar with the properties that opening hours select by.
struct CalendarDay {
    /// Days since 1970-01-01.
    let number: Int64
    let date: CivilDate
    /// 0 is Monday, 6 Sunday.
    let weekday: Int
    let isHoliday: Bool

    /// - Parameter holidays: nil if holidays do not matter.
    init(number: Int64, holidays: HolidayCalendar?) {
        self.number = number
        date = CivilDate(daysSince1970: number)
        weekday = Int((number + 3).modulo(7))  // 1970-01-01 was a Thursday.
        isHoliday = holidays?.contains(dayNumber: number) ?? false
    }

    /// The number of remaining days in the month.
    var daysLeftInMonth: Int {
        let isDecember = date.month == 12
        let next = CivilDate(year: date.year + (isDecember ? 1 : 0), month: isDecember ? 1 : date.month + 1, day: 1)
        guard let first = next.daysSince1970 else { preconditionFailure("every month has a first day") }
        return Int(first - number) - 1
    }
}
