internal import PromisedDomain

/// The days that a rule of opening hours names.
///
/// Years, dates, endings and weekdays must all match. Within each of them one match is enough, and an empty one matches
/// every day.
struct DaySelector: Hashable, Sendable {
    var years: [ClosedRange<Int64>] = []
    var dates: [DateRange] = []
    /// Bit d is set for days of the month whose last digit is d.
    var endings: UInt16 = 0
    /// Bit 0 is Monday, bit 6 Sunday.
    var weekdays: UInt8 = 0
    var numberedWeekdays: [NumberedWeekday] = []
    /// `true` if public holidays are among the weekdays.
    var hasHolidays = false

    /// `true` if no weekday, number of a weekday or holiday is named.
    private var hasAnyWeekday: Bool { weekdays == 0 && numberedWeekdays.isEmpty && !hasHolidays }

    /// `true` if the rule names the day.
    func contains(_ day: CalendarDay) -> Bool {
        containsWeekday(of: day)
            && (endings == 0 || endings >> UInt16(day.date.day % 10) & 1 == 1)
            && (years.isEmpty || years.contains { $0.contains(day.date.year) })
            && (dates.isEmpty || dates.contains { $0.contains(day.date) })
    }

    private func containsWeekday(of day: CalendarDay) -> Bool {
        weekdays >> UInt8(day.weekday) & 1 == 1
            || hasAnyWeekday
            || hasHolidays && day.isHoliday
            || !numberedWeekdays.isEmpty && numberedWeekdays.contains { $0.contains(day) }
    }
}

/// Days from one date to another, both included: in every year, or once.
struct DateRange: Hashable, Sendable {
    private let isYearly: Bool
    /// Months and days, with years if not yearly, as numbers that sort like the dates.
    private let first: Int64
    private let last: Int64

    /// The same days of every year. If the first is after the last, the range crosses the turn of the year. A day
    /// beyond the end of a month denotes the gap after the month's last day, so the range to June 31 ends on June 30.
    init(from first: (month: Int64, day: Int64), to last: (month: Int64, day: Int64)) {
        isYearly = true
        self.first = Self.code(month: first.month, day: first.day)
        self.last = Self.code(month: last.month, day: last.day)
    }

    /// Days of certain years; nil if the last is before the first.
    init?(from first: CivilDate, to last: CivilDate) {
        isYearly = false
        self.first = Self.code(first)
        self.last = Self.code(last)
        guard self.first <= self.last else { return nil }
    }

    func contains(_ date: CivilDate) -> Bool {
        let code = isYearly ? Self.code(month: date.month, day: date.day) : Self.code(date)
        return first <= last ? first <= code && code <= last : first <= code || code <= last
    }

    private static func code(month: Int64, day: Int64) -> Int64 { month * 32 + day }

    private static func code(_ date: CivilDate) -> Int64 { date.year * 512 + code(month: date.month, day: date.day) }
}

/// A weekday by its number in the month: `Th[1]` is the first Thursday, `Sa[-1]` the last Saturday.
struct NumberedWeekday: Hashable, Sendable {
    /// 0 is Monday, 6 Sunday.
    let weekday: Int
    /// Bit n − 1 is set for the n-th in the month.
    var fromStart: UInt8 = 0
    /// Bit n − 1 is set for the n-th counted from the month's end.
    var fromEnd: UInt8 = 0

    func contains(_ day: CalendarDay) -> Bool {
        guard day.weekday == weekday else { return false }
        return fromStart >> UInt8((day.date.day - 1) / 7) & 1 == 1
            || fromEnd != 0 && fromEnd >> UInt8(day.daysLeftInMonth / 7) & 1 == 1
    }
}
