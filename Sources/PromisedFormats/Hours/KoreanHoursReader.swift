/// Reads a Korean text about opening hours from left to right; a text with one unreadable part is unreadable.
///
/// Days and months wait until a time or a word such as 휴무 says what happens on them. Months stay until others follow.
struct KoreanHoursReader {
    private let tokens: [KoreanHoursToken]
    private var position = 0
    /// The days that wait.
    private var days = KoreanDays()
    private var months: KoreanMonths?
    /// `true` if the months were named since the last times.
    private var hasFreshMonths = false
    /// `true` if the name of a season waits for its months.
    private var needsMonths = false
    /// `true` after a word such as 휴무 without days before it: the days that follow are closed.
    private var closesNext = false
    /// The end of the last times; days in brackets that follow them belong to them.
    private var endOfTimes = -1
    private var hours = KoreanHours()

    /// The hours of a text; nil if it is unreadable or says nothing.
    static func hours(of text: String) -> KoreanHours? {
        guard let tokens = KoreanHoursToken.tokens(of: text), !tokens.isEmpty else { return nil }
        var reader = KoreanHoursReader(tokens: tokens)
        do throws(Unreadable) {
            while reader.next != nil { try reader.readPart() }
            return try reader.finished()
        } catch {
            return nil
        }
    }

    private init(tokens: [KoreanHoursToken]) { self.tokens = tokens }

    /// A part of the text is not in the grammar.
    private struct Unreadable: Error {}

    private var next: KoreanHoursToken? { position < tokens.count ? tokens[position] : nil }

    private func ahead(_ steps: Int) -> KoreanHoursToken? {
        position + steps < tokens.count ? tokens[position + steps] : nil
    }

    private mutating func accept(_ token: KoreanHoursToken) -> Bool {
        guard next == token else { return false }
        position += 1
        return true
    }

    // MARK: - Parts

    private mutating func readPart() throws(Unreadable) {
        guard let token = next else { return }
        switch token {
        case .list, .open, .close, .colon: position += 1
        case .days, .workdays, .ordinal: try readDays()
        case .feast:
            position += 1
            days.hasFeast = true
        case .always:
            position += 1
            hours.isAlways = true
        case .closed: closeDays()
        case .label: readLabel()
        case .except: try excludeDays()
        case .season:
            position += 1
            needsMonths = !hasFreshMonths
        case .pause: try readPause()
        case .lastEntry:
            position += 1
            _ = accept(.colon)
            _ = try readTime()
        case .allHours: addTimes([KoreanHours.wholeDay])
        case .number: try readNumber()
        case .dayPart, .time: addTimes([try readSpan()], skipping: 0)
        case .nextDay, .hours, .week, .month, .dayOfMonth, .range, .hourWord, .minuteWord, .half, .filler:
            throw Unreadable()
        }
    }

    // MARK: - Days

    private mutating func readDays() throws(Unreadable) {
        if case .ordinal = next { return try readNumberedDays() }
        if accept(.workdays) {
            days.weekdays |= 0x1F
            days.isWorkdays = true
        } else if case .days(let first)? = next {
            position += 1
            var bits = first
            if next == .range, case .days(let last)? = ahead(1), first.nonzeroBitCount == 1, last.nonzeroBitCount == 1,
                (first | last) < 0x80
            {
                position += 2
                let start = first.trailingZeroBitCount
                for step in 0...(last.trailingZeroBitCount - start + 7) % 7 { bits |= 1 << UInt8((start + step) % 7) }
            }
            days.weekdays |= bits & 0x7F
            if bits & 0x80 != 0 { days.hasHolidays = true }
        }
        attachBracketedDays()
    }

    /// `09:00~18:00 (월~금)`: days in brackets right after times that have none belong to them.
    private mutating func attachBracketedDays() {
        guard next == .close, endOfTimes >= 0, tokens[endOfTimes] == .open, hours.lastHasNoDays, !closesNext else {
            return
        }
        hours.setLastDays(days)
        days = KoreanDays()
    }

    /// `둘째, 넷째 주 일요일`.
    private mutating func readNumberedDays() throws(Unreadable) {
        var numbers: [Int] = []
        while true {
            guard case .ordinal(let number)? = next else { throw Unreadable() }
            numbers.append(number)
            position += 1
            while accept(.week) {}
            guard next == .list, case .ordinal? = ahead(1) else { break }
            position += 1
        }
        try readNumberedWeekdays(numbers)
    }

    private mutating func readNumberedWeekdays(_ numbers: [Int]) throws(Unreadable) {
        guard case .days(let bits)? = next, bits < 0x80, bits.nonzeroBitCount == 1,
            numbers.allSatisfy({ $0 == -1 || (1...5).contains($0) })
        else { throw Unreadable() }
        position += 1
        days.numbered.append(KoreanDays.Numbered(weekday: bits.trailingZeroBitCount, numbers: numbers))
    }

    // MARK: - Closing

    private mutating func closeDays() {
        position += 1
        if days.isEmpty {
            closesNext = true
        } else {
            hours.close(days, in: hasFreshMonths ? months : nil)
            days = KoreanDays()
        }
    }

    /// `휴무일: 일요일, 운영시간: 09:00~18:00`: the closed days end here.
    private mutating func readLabel() {
        position += 1
        guard closesNext, !days.isEmpty else { return }
        hours.close(days, in: nil)
        days = KoreanDays()
        closesNext = false
    }

    private mutating func excludeDays() throws(Unreadable) {
        position += 1
        guard days.isEmpty else {
            hours.close(days, in: nil)
            days = KoreanDays()
            return
        }
        // `점심시간 12:00~13:00 제외`.
        guard hours.hasPause else { throw Unreadable() }
    }

    // MARK: - Numbers

    /// A number begins a date, months, numbers of weeks, or times.
    private mutating func readNumber() throws(Unreadable) {
        guard case .number(let number, _)? = next else { throw Unreadable() }
        switch ahead(1) {
        case .month: try readMonths()
        case .range where isMonthRange: try readMonths()
        case .week, .list: try readNumberOfWeek()
        case .hours where number == 24: addTimes([KoreanHours.wholeDay], skipping: 2)
        case .hourWord where number == 24 && ahead(2) != .range: addTimes([KoreanHours.wholeDay], skipping: 2)
        default: addTimes([try readSpan()], skipping: 0)
        }
    }

    /// `true` before `3~10월`.
    private var isMonthRange: Bool {
        if case .number? = ahead(2) { return ahead(3) == .month }
        return false
    }

    /// `2,4주 일요일`, `2번째 일요일`.
    private mutating func readNumberOfWeek() throws(Unreadable) {
        var numbers: [Int] = []
        while case .number(let number, _)? = next {
            numbers.append(number)
            position += 1
            while accept(.week) {}
            if next == .list, case .number? = ahead(1) { position += 1 }
        }
        guard tokens[position - 1] == .week else { throw Unreadable() }
        try readNumberedWeekdays(numbers)
    }

    private mutating func readMonths() throws(Unreadable) {
        let first = try readMonth(needsWord: false)
        if case .number(let day, _)? = next, ahead(1) == .dayOfMonth {
            guard (1...KoreanMonths.longest[first - 1]).contains(day) else { throw Unreadable() }
            position += 2
            days.dates.append(KoreanDays.Date(month: first, day: day))
            return
        }
        months = KoreanMonths(first: first, last: accept(.range) ? try readMonth(needsWord: true) : first)
        hasFreshMonths = true
        needsMonths = false
    }

    private mutating func readMonth(needsWord: Bool) throws(Unreadable) -> Int {
        guard case .number(let month, _)? = next, (1...12).contains(month) else { throw Unreadable() }
        position += 1
        guard accept(.month) || !needsWord else { throw Unreadable() }
        return month
    }

    // MARK: - Times

    private mutating func readPause() throws(Unreadable) {
        position += 1
        while next == .colon || next == .open { position += 1 }
        let span = try readSpan()
        hours.addPause(span)
        if next == .close { position += 1 }
    }

    private mutating func addTimes(_ spans: [KoreanHours.Span], skipping count: Int = 1) {
        position += count
        if days.isEmpty, endOfTimes >= 0, !hasFreshMonths {
            // Times after times continue the same days.
            hours.continueLast(spans)
        } else {
            hours.open(days, in: months, spans)
        }
        hours.isUnclear = hours.isUnclear || needsMonths || closesNext
        days = KoreanDays()
        hasFreshMonths = false
        endOfTimes = position
    }

    /// `09:00~18:00`, `오전 9시부터 오후 6시까지`, `18:00~익일 02:00`, `10:00~`.
    private mutating func readSpan() throws(Unreadable) -> KoreanHours.Span {
        let first = try readTime()
        guard accept(.range), first.minutes < KoreanHours.minutesOfDay else { throw Unreadable() }
        guard position < tokens.count, next != .close else {
            return KoreanHours.Span(from: first.minutes, to: nil)
        }
        let isNextDay = accept(.nextDay)
        var last = try readTime()
        if first.part == .afternoon, last.part == nil, last.minutes < first.minutes, last.minutes <= 720, !isNextDay {
            last.minutes += 720
        }
        if last.minutes <= first.minutes {
            // `10시~6시` may mean either; `10:00~06:00` is a clock of 24 hours.
            let isClear = first.part == nil && last.isTwentyFourHours || last.part != nil
            guard isNextDay || isClear else { throw Unreadable() }
        } else if isNextDay {
            throw Unreadable()
        }
        return KoreanHours.Span(from: first.minutes, to: last.minutes)
    }

    /// A time of the day.
    private struct Time {
        var minutes: Int
        var part: KoreanDayPart?
        /// `true` if written like `06:00`.
        var isTwentyFourHours = false
    }

    private mutating func readTime() throws(Unreadable) -> Time {
        if case .time(let minutes)? = next {
            position += 1
            return Time(minutes: minutes, part: .afternoon)
        }
        var part: KoreanDayPart?
        if case .dayPart(let given)? = next {
            part = given
            position += 1
        }
        guard case .number(var hour, let digits)? = next, digits <= 2, hour <= 24 else { throw Unreadable() }
        position += 1
        var time = Time(minutes: 0)
        if accept(.colon) {
            guard case .number(let minute, digits: 2)? = next, minute < 60 else { throw Unreadable() }
            position += 1
            time.minutes = minute
            time.isTwentyFourHours = digits == 2
        } else if accept(.hourWord) {
            time.minutes = try readMinutes()
        } else if !isBareHour, part == nil {
            throw Unreadable()
        }
        if part == nil, hour <= 12, case .dayPart(let given)? = next, isLastOfTime {
            part = given
            position += 1
        }
        if let part {
            guard let hourOfDay = part.hour(hour) else { throw Unreadable() }
            hour = hourOfDay
        }
        time.part = part
        time.minutes += hour * 60
        guard time.minutes <= KoreanHours.minutesOfDay else { throw Unreadable() }
        return time
    }

    /// `true` after the 9 of `9~18시` and `9AM`.
    private var isBareHour: Bool {
        if case .dayPart? = next { return true }
        guard next == .range, case .number? = ahead(1) else { return false }
        return ahead(2) == .hourWord
    }

    /// `true` if a part of the day belongs to the time before it, as in `10:00 AM`, not to one behind it.
    private var isLastOfTime: Bool {
        if case .number? = ahead(1) { return false }
        return true
    }

    private mutating func readMinutes() throws(Unreadable) -> Int {
        if accept(.half) { return 30 }
        guard case .number(let minute, _)? = next, ahead(1) == .minuteWord, minute < 60 else { return 0 }
        position += 2
        return minute
    }

    // MARK: - End

    private mutating func finished() throws(Unreadable) -> KoreanHours {
        if !days.isEmpty {
            if closesNext {
                hours.close(days, in: nil)
                closesNext = false
            } else if days.isEveryDay, !hours.hasTimes {
                hours.isAlways = true
            } else if hours.lastHasNoDays, !days.hasFeast {
                hours.setLastDays(days)
            } else {
                throw Unreadable()
            }
        }
        guard !closesNext, !needsMonths, !hours.isUnclear, hours.saysSomething else { throw Unreadable() }
        return hours
    }
}
