/// The opening hours that a Korean text tells.
struct KoreanHours {
    /// Times in minutes from midnight; without an end the place closes at an unknown time.
    struct Span: Hashable {
        var from: Int
        /// Not after `from`: on the next day.
        var to: Int?
    }

    /// Times on certain days.
    private struct Opening {
        var months: KoreanMonths?
        var days: KoreanDays
        var spans: [Span]
    }

    /// Days on which the place is closed.
    private struct Closing {
        var months: KoreanMonths?
        var days: KoreanDays
    }

    private var openings: [Opening] = []
    private var closings: [Closing] = []
    private var pauses: [Span] = []
    /// `true` for 연중무휴.
    var isAlways = false
    /// `true` if a part of the text has two meanings.
    var isUnclear = false

    static let minutesOfDay = 1_440
    static let wholeDay = Span(from: 0, to: minutesOfDay)

    /// `true` if times are known.
    var hasTimes: Bool { !openings.isEmpty }
    /// `true` if there is a pause, such as lunch.
    var hasPause: Bool { !pauses.isEmpty }
    /// `true` if the last times are for no named days.
    var lastHasNoDays: Bool { openings.last?.days.isEmpty ?? false }
    /// `true` if the hours differ from no hours at all.
    var saysSomething: Bool { isAlways || !openings.isEmpty || !closings.isEmpty }

    // MARK: - Building

    mutating func open(_ days: KoreanDays, in months: KoreanMonths?, _ spans: [Span]) {
        isUnclear = isUnclear || days.hasFeast
        openings.append(Opening(months: months, days: days, spans: spans))
    }

    /// Adds times to the last ones; unclear unless they are later.
    mutating func continueLast(_ spans: [Span]) {
        guard var last = openings.popLast(), let end = last.spans.last?.to, let start = last.spans.last?.from,
            end > start, spans.allSatisfy({ $0.from >= end })
        else {
            isUnclear = true
            return
        }
        last.spans += spans
        openings.append(last)
    }

    mutating func setLastDays(_ days: KoreanDays) { openings[openings.count - 1].days = days }

    mutating func close(_ days: KoreanDays, in months: KoreanMonths?) {
        closings.append(Closing(months: months, days: days))
    }

    mutating func addPause(_ span: Span) {
        isUnclear = isUnclear || span.to == nil
        pauses.append(span)
    }

    // MARK: - Text

    /// The hours as OpenStreetMap writes them.
    ///
    /// Workdays (평일) end at holidays, which are closed if the text names no other day, else unknown. Days of the lunar
    /// calendar are not in the syntax: the state of all holidays is unknown then.
    var text: String {
        // Later rules replace earlier ones on their days.
        let general = openings.filter(\.days.isEveryDay)
        var rules = (general + openings.filter { !$0.days.isEveryDay }).flatMap(Self.rules)
        if rules.isEmpty { rules = ["Mo-Su"] }
        rules += closings.flatMap { closing in closing.days.selectors(in: closing.months).map { "\($0) off" } }
        if let holidays = holidayRule { rules.append(holidays) }
        rules += pauses.map { "\(Self.text(of: $0)) off" }
        return rules == ["00:00-24:00"] || rules == ["Mo-Su 00:00-24:00"] ? "24/7" : rules.joined(separator: "; ")
    }

    private var holidayRule: String? {
        guard !closings.contains(where: \.days.hasHolidays) else { return nil }
        if closings.contains(where: \.days.hasFeast) { return "PH unknown \"명절 휴무\"" }
        let isForWorkdays = openings.contains { $0.days.isWorkdays }
        guard isForWorkdays, !isAlways, !openings.contains(where: { $0.days.hasHolidays || $0.days.isEveryDay }) else {
            return nil
        }
        return openings.allSatisfy { $0.days.isWorkdays } ? "PH off" : "PH unknown"
    }

    private static func rules(_ opening: Opening) -> [String] {
        let times = opening.spans.map(text).joined(separator: ",")
        return opening.days.selectors(in: opening.months).map { $0.isEmpty ? times : "\($0) \(times)" }
    }

    private static func text(of span: Span) -> String {
        guard let to = span.to else { return time(span.from) + "+" }
        return "\(time(span.from))-\(time(to))"
    }

    private static func time(_ minutes: Int) -> String { "\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))" }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
