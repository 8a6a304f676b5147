extension Instant {
    /// The moment of a text in RFC 3339, such as `2026-11-21T09:00:00.250Z` or `2026-11-21T18:00:00+09:00`.
    ///
    /// Fractions beyond milliseconds are cut off; a leap second counts as the second after it. Nil for anything else:
    /// dates that do not exist, years before 1, a missing zone.
    package init?(rfc3339 text: String) {
        var reader = RFC3339Reader(text)
        guard let milliseconds = reader.readMoment() else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// The moment in RFC 3339, in UTC, with milliseconds only if they are not 0: `2026-11-21T09:00:00Z`.
    ///
    /// RFC 3339 covers the years 1 to 9999; other years are written with as many digits as they need.
    package var rfc3339: String { milliseconds.isMultiple(of: 1_000) ? secondsText + "Z" : rfc3339WithMilliseconds }

    /// The moment in RFC 3339, in UTC, always with milliseconds, so that texts of the same length sort by time.
    package var rfc3339WithMilliseconds: String { "\(secondsText).\(Self.padded(milliseconds.modulo(1_000), 3))Z" }

    private var secondsText: String {
        let seconds = milliseconds.dividedFloor(by: 1_000)
        let date = CivilDate(daysSince1970: seconds.dividedFloor(by: 86_400))
        let rest = seconds.modulo(86_400)
        let day = "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))-\(Self.padded(date.day, 2))"
        return "\(day)T\(Self.padded(rest / 3_600, 2)):\(Self.padded(rest / 60 % 60, 2)):\(Self.padded(rest % 60, 2))"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Reads the fields of RFC 3339 §5.6 one after the other.
private struct RFC3339Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    /// Milliseconds since 1970; nil if the whole text is not a moment.
    mutating func readMoment() -> Int64? {
        guard let year = readDigits(4), readAny("-") != nil, let month = readDigits(2), readAny("-") != nil,
            let day = readDigits(2), readAny("Tt ") != nil,
            let days = CivilDate(year: year, month: month, day: day).daysSince1970, year >= 1,
            let time = readTime(), let offset = readOffset(), rest.isEmpty
        else { return nil }
        return (days * 86_400 - offset) * 1_000 + time
    }

    /// Milliseconds since midnight.
    private mutating func readTime() -> Int64? {
        guard let hour = readDigits(2), hour < 24, readAny(":") != nil,
            let minute = readDigits(2), minute < 60, readAny(":") != nil, let second = readDigits(2), second <= 60
        else { return nil }
        var fraction: Int64 = 0
        if readAny(".") != nil {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            fraction = (Array(digits.prefix(3)) + Array(repeating: UInt8(ascii: "0"), count: max(0, 3 - digits.count)))
                .reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        return ((hour * 60 + minute) * 60 + second) * 1_000 + fraction
    }

    /// Seconds that local time is ahead of UTC.
    private mutating func readOffset() -> Int64? {
        guard let sign = readAny("Zz+-") else { return nil }
        if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return 0 }
        guard let hours = readDigits(2), hours < 24, readAny(":") != nil, let minutes = readDigits(2), minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
    }

    private mutating func readDigits(_ count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    private mutating func readAny(_ characters: String) -> UInt8? {
        guard let next = rest.first, characters.utf8.contains(next) else { return nil }
        rest = rest.dropFirst()
        return next
    }
}

/// A day of the Gregorian calendar, extended to all years.
///
/// Calendar arithmetic after Hinnant, "chrono-Compatible Low-Level Date Algorithms": eras of 400 years whose years
/// begin in March, so that the leap day comes last.
package struct CivilDate: Hashable, Sendable {
    /// As on calendars: the year before 1 is 0.
    package var year: Int64
    /// 1…12.
    package var month: Int64
    /// 1…31.
    package var day: Int64

    /// The day of the given numbers, unchecked: see ``daysSince1970``.
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

    /// Days from 1970-01-01 to this one, negative before; nil if the day does not exist.
    package var daysSince1970: Int64? {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.dividedFloor(by: 400)
        let yearOfEra = shiftedYear.modulo(400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        // A day beyond the end of a month turns into one of the next month.
        return CivilDate(daysSince1970: days) == self ? days : nil
    }
}

extension Int64 {
    /// The quotient rounded down, also for negative numbers; `divisor` is positive.
    package func dividedFloor(by divisor: Int64) -> Int64 { (self - modulo(divisor)) / divisor }

    /// The remainder in 0..<divisor; `divisor` is positive.
    package func modulo(_ divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
