/// A day of the Gregorian calendar, extended to all years.
///
/// Calendar arithmetic after Hinnant, "chrono-Compatible Low-Level Date Algorithms": eras of 400 years whose years
/// begin in March, so that the leap day comes last.
package struct CivilDate: Equatable {
    /// As on calendars: the year before 1 is 0.
    package var year: Int64
    /// 1…12.
    package var month: Int64
    /// 1…31.
    package var day: Int64

    /// The day of the given numbers, which need not exist: see ``daysSince1970``.
    package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that many days after 1970-01-01, or before it when negative.
    package init(daysSince1970: Int64) {
        let days = daysSince1970 + 719_468
        let era = days.dividedFloor(by: 146_097)
        let dayOfEra = days.modulo(146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days from 1970-01-01 to this one, negative before; nil when there is no such day.
    package var daysSince1970: Int64? {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.dividedFloor(by: 400)
        let yearOfEra = shiftedYear.modulo(400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        // A day that a month lacks turns into one of the next month.
        return CivilDate(daysSince1970: days) == self ? days : nil
    }
}

extension Int64 {
    /// The quotient rounded down, also for negative numbers; `divisor` is positive.
    package func dividedFloor(by divisor: Int64) -> Int64 {
        (self - modulo(divisor)) / divisor
    }

    /// The remainder in 0..<divisor; `divisor` is positive.
    package func modulo(_ divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
