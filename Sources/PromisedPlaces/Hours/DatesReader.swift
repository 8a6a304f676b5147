internal import PromisedDomain

/// Reads years, months and dates, and ranges of them.
struct DatesReader {
    var scanner: HoursScanner

    /// Years for the whole rule: `2026`, `2026-2028`, `2026+`, `2026,2028`, also before months, as in `2026 Mar,May`.
    /// The year of a date, as in `2026 Mar 3`, belongs to the date and is read by ``readRanges(canHaveYears:)``.
    mutating func readYears() throws(UnreadableHours) -> [ClosedRange<Int64>] {
        var years: [ClosedRange<Int64>] = []
        guard !isAtYearMonthDay else { return years }
        while let first = try readYear() {
            let last = try scanner.accept("+") ? Self.latestYear : readLastYear() ?? first
            guard first <= last else { throw UnreadableHours() }
            years.append(first...last)
            let end = scanner.position
            if scanner.accept(","), scanner.isAtYear { continue }
            scanner.position = end
            break
        }
        return years
    }

    /// The end of a range of years, if a dash and a year follow.
    private mutating func readLastYear() throws(UnreadableHours) -> Int64? {
        let start = scanner.position
        if scanner.acceptBetweenBlanks("-"), let year = try readYear() { return year }
        scanner.position = start
        return nil
    }

    /// Months, dates and ranges of them, in a list without blanks after its commas.
    ///
    /// - Parameter canHaveYears: `false` if the rule has years already.
    mutating func readRanges(canHaveYears: Bool) throws(UnreadableHours) -> [DateRange] {
        var ranges: [DateRange] = []
        let start = scanner.position
        scanner.skipBlanks()
        guard isAtDate else {
            scanner.position = start
            return []
        }
        repeat {
            guard canHaveYears || !scanner.isAtYear else { throw UnreadableHours() }
            ranges.append(try readRange())
        } while acceptCommaBeforeDate()
        return ranges
    }

    private mutating func acceptCommaBeforeDate() -> Bool {
        let start = scanner.position
        scanner.skipBlanks()
        if scanner.accept(","), !scanner.isAtBlank, isAtDate { return true }
        scanner.position = start
        return false
    }

    private mutating func readRange() throws(UnreadableHours) -> DateRange {
        let year = try readYear()
        let month = try readMonth()
        guard let day = try readDay() else {
            let last = scanner.acceptBetweenBlanks("-") ? try readMonth() : month
            return try range(from: (year, month, 1), to: (year, last, 31))
        }
        guard scanner.acceptBetweenBlanks("-") else {
            // February 29 is a date, June 31 is not.
            guard CivilDate(year: year ?? 2_000, month: month, day: day).daysSince1970 != nil else {
                throw UnreadableHours()
            }
            return try range(from: (year, month, day), to: (year, month, day))
        }
        let lastYear = try readYear()
        let lastMonth = isAtMonth || lastYear != nil ? try readMonth() : month
        guard let lastDay = try readDay() else { throw UnreadableHours() }
        let followsTurnOfYear = (lastMonth, lastDay) < (month, day)
        let impliedYear = year.map { followsTurnOfYear ? $0 + 1 : $0 }
        return try range(from: (year, month, day), to: (lastYear ?? impliedYear, lastMonth, lastDay))
    }

    private typealias Day = (year: Int64?, month: Int64, day: Int64)

    private func range(from first: Day, to last: Day) throws(UnreadableHours) -> DateRange {
        switch (first.year, last.year) {
        case (nil, nil):
            return DateRange(from: (first.month, first.day), to: (last.month, last.day))
        case (let firstYear?, let lastYear?):
            guard
                let range = DateRange(
                    from: CivilDate(year: firstYear, month: first.month, day: first.day),
                    to: CivilDate(year: lastYear, month: last.month, day: last.day)
                )
            else { throw UnreadableHours() }
            return range
        case (nil, _?), (_?, nil):
            throw UnreadableHours()
        }
    }

    // MARK: - Parts of a date

    /// A year from 1900 on, and the blanks after it before a month.
    private mutating func readYear() throws(UnreadableHours) -> Int64? {
        guard scanner.isAtYear, let year = scanner.readNumber(digits: 4...4) else { return nil }
        guard year >= 1_900 else { throw UnreadableHours() }
        if isAtMonth { scanner.skipBlanks() }
        return Int64(year)
    }

    private mutating func readMonth() throws(UnreadableHours) -> Int64 {
        guard let index = Self.months.firstIndex(of: scanner.readWord()) else { throw UnreadableHours() }
        return Int64(index + 1)
    }

    /// A day of the month, if one follows, with or without blanks before it.
    private mutating func readDay() throws(UnreadableHours) -> Int64? {
        let start = scanner.position
        scanner.skipBlanks()
        guard !scanner.isAtTime, let day = scanner.readNumber(digits: 1...2) else {
            scanner.position = start
            return nil
        }
        guard (1...31).contains(day) else { throw UnreadableHours() }
        return Int64(day)
    }

    /// `true` before a month, with or without blanks before it.
    private var isAtMonth: Bool {
        var ahead = scanner
        ahead.skipBlanks()
        return Self.months.contains(ahead.readWord())
    }

    /// `true` before a month or date, with or without a year.
    private var isAtDate: Bool {
        var ahead = self
        if ahead.scanner.isAtYear { _ = ahead.scanner.readNumber(digits: 4...4) }
        return ahead.isAtMonth
    }

    /// `true` before a year, a month and a day.
    private var isAtYearMonthDay: Bool {
        var ahead = scanner
        guard ahead.isAtYear, ahead.readNumber(digits: 4...4) != nil else { return false }
        ahead.skipBlanks()
        guard Self.months.contains(ahead.readWord()) else { return false }
        ahead.skipBlanks()
        return ahead.isAtDigit && !ahead.isAtTime
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let latestYear: Int64 = 9_999
}
