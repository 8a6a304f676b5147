/// Reads the days of a rule: years, months and dates, endings, weekdays and holidays.
struct DaysReader {
    var scanner: HoursScanner

    /// Reads the days that follow, and the blanks after them. Without any, the rule applies to every day.
    mutating func readDays() throws(UnreadableHours) -> DaySelector {
        let start = scanner.position
        var days = DaySelector()
        var dates = DatesReader(scanner: scanner)
        days.years = try dates.readYears()
        days.dates = try dates.readRanges(canHaveYears: days.years.isEmpty)
        scanner = dates.scanner
        days.endings = try readEndings()
        if scanner.position > start {
            scanner.skipBlanks()
            if scanner.accept(":") { scanner.skipBlanks() }
        }
        try readWeekdays(into: &days)
        return days
    }

    /// The digits after `day` as a set of bits; empty without the word.
    private mutating func readEndings() throws(UnreadableHours) -> UInt16 {
        let start = scanner.position
        scanner.skipBlanks()
        guard scanner.readWord() == "day" else {
            scanner.position = start
            return 0
        }
        var endings: UInt16 = 0
        repeat {
            scanner.skipBlanks()
            guard let digit = scanner.readNumber(digits: 1...1) else { throw UnreadableHours() }
            endings |= 1 << UInt16(digit)
        } while acceptCommaBeforeDigit()
        return endings
    }

    private mutating func acceptCommaBeforeDigit() -> Bool {
        let start = scanner.position
        if scanner.acceptBetweenBlanks(","), scanner.isAtDigit, !scanner.isAtTime, !scanner.isAtYear { return true }
        scanner.position = start
        return false
    }

    // MARK: - Weekdays

    private mutating func readWeekdays(into days: inout DaySelector) throws(UnreadableHours) {
        guard isAtWeekday else { return }
        repeat {
            try readWeekday(into: &days)
        } while acceptCommaBeforeWeekday()
        guard !scanner.isAtDigit else { throw UnreadableHours() }
        scanner.skipBlanks()
    }

    private mutating func readWeekday(into days: inout DaySelector) throws(UnreadableHours) {
        let word = scanner.readWord()
        if word == Self.holiday {
            days.hasHolidays = true
            return
        }
        guard let first = Self.weekdays.firstIndex(of: word) else { throw UnreadableHours() }
        if scanner.accept("[") {
            days.numberedWeekdays.append(try readNumbers(of: first))
        } else if scanner.acceptBetweenBlanks("-") {
            guard let last = Self.weekdays.firstIndex(of: scanner.readWord()) else { throw UnreadableHours() }
            let length = (last - first + 7) % 7
            for step in 0...length { days.weekdays |= 1 << UInt8((first + step) % 7) }
        } else {
            days.weekdays |= 1 << UInt8(first)
        }
    }

    /// The numbers in brackets: `1`, `-1`, `1-3`, and several of them.
    private mutating func readNumbers(of weekday: Int) throws(UnreadableHours) -> NumberedWeekday {
        var numbered = NumberedWeekday(weekday: weekday)
        repeat {
            if scanner.accept("-") {
                numbered.fromEnd |= 1 << UInt8(try readNumberInMonth() - 1)
                continue
            }
            let first = try readNumberInMonth()
            let last = scanner.accept("-") ? try readNumberInMonth() : first
            guard first <= last else { throw UnreadableHours() }
            for number in first...last { numbered.fromStart |= 1 << UInt8(number - 1) }
        } while scanner.accept(",")
        guard scanner.accept("]") else { throw UnreadableHours() }
        return numbered
    }

    private mutating func readNumberInMonth() throws(UnreadableHours) -> Int {
        guard let number = scanner.readNumber(digits: 1...1), (1...5).contains(number) else { throw UnreadableHours() }
        return number
    }

    /// Skips a comma that continues a list of weekdays. A comma followed by a blank begins another rule.
    private mutating func acceptCommaBeforeWeekday() -> Bool {
        let start = scanner.position
        scanner.skipBlanks()
        if scanner.accept(","), isAtWeekday { return true }
        scanner.position = start
        return false
    }

    private var isAtWeekday: Bool {
        var ahead = scanner
        let word = ahead.readWord()
        return word == Self.holiday || Self.weekdays.contains(word)
    }

    private static let weekdays = ["mo", "tu", "we", "th", "fr", "sa", "su"]
    private static let holiday = "ph"
}
