/// The rules of an opening hours text, in order, prepared for evaluation.
struct HoursRules: Hashable, Sendable {
    /// The most rules that a text can have: sets of rules are stored as bits.
    static let maximum = 64

    private let rules: [HoursRule]
    /// The minutes of a day at which the state can change, ascending from 0.
    let boundaries: [UInt16]
    /// The rules with times after midnight.
    private let lasting: UInt64
    /// The rules that govern the days that they name.
    private let governing: UInt64
    private let hasFallback: Bool
    let usesHolidays: Bool

    /// - Parameter rules: at least one, at most ``maximum``.
    init(_ rules: [HoursRule]) {
        precondition((1...Self.maximum).contains(rules.count), "opening hours have 1 to \(Self.maximum) rules")
        self.rules = rules
        let minutes = rules.flatMap(\.spans).flatMap { [$0.from, $0.to] }
        boundaries = Set(minutes.map { $0 % UInt16(HoursSpan.minutesOfDay) } + [0]).sorted()
        lasting = Self.bits(of: rules) { $0.lastsPastMidnight }
        governing = Self.bits(of: rules) { $0.governsDay }
        hasFallback = rules.contains { $0.joint == .fallback }
        usesHolidays = rules.contains { $0.days.hasHolidays }
    }

    private static func bits(of rules: [HoursRule], where isMember: (HoursRule) -> Bool) -> UInt64 {
        rules.indices.reduce(0) { isMember(rules[$1]) ? $0 | 1 << UInt64($1) : $0 }
    }

    /// The rules that concern a day, counted from 1970-01-01.
    func day(_ number: Int64, holidays: HolidayCalendar) -> HoursDay {
        day(number, after: lasting == 0 ? 0 : rulesNaming(number - 1, holidays), holidays: holidays)
    }

    /// Like ``day(_:holidays:)``, for a caller that already has the rules of the day before.
    func day(after previous: HoursDay, holidays: HolidayCalendar) -> HoursDay {
        day(previous.number + 1, after: previous.named, holidays: holidays)
    }

    /// - Parameter before: the rules that name the day before; irrelevant if no rule lasts past midnight.
    private func day(_ number: Int64, after before: UInt64, holidays: HolidayCalendar) -> HoursDay {
        var day = HoursDay(number: number, named: rulesNaming(number, holidays), nightBefore: before & lasting)
        day.replacedBefore = replaced(among: before)
        if hasFallback { day.unused = unusedFallbacks(on: day) }
        return day
    }

    /// Of rules that name a day, those before the last one that governs it.
    private func replaced(among named: UInt64) -> UInt64 {
        let governing = named & governing
        return governing == 0 ? 0 : named & (1 << UInt64(63 - governing.leadingZeroBitCount) - 1)
    }

    private func rulesNaming(_ number: Int64, _ holidays: HolidayCalendar) -> UInt64 {
        let day = CalendarDay(number: number, holidays: usesHolidays ? holidays : nil)
        return rules.indices.reduce(0) { rules[$1].days.contains(day) ? $0 | 1 << UInt64($1) : $0 }
    }

    /// The fallback rules without effect, because earlier rules name the day and decide a part of it: they open the
    /// place, or give a reason for closing it.
    private func unusedFallbacks(on day: HoursDay) -> UInt64 {
        var day = day
        var isNamed = false
        for index in rules.indices {
            if rules[index].joint == .fallback {
                if isNamed, boundaries.contains(where: { isSettled(at: Int($0), on: day, before: index) }) {
                    day.unused |= 1 << UInt64(index)
                    continue
                }
                isNamed = false
            }
            isNamed = isNamed || day.named >> UInt64(index) & 1 == 1
        }
        return day.unused
    }

    private func isSettled(at minute: Int, on day: HoursDay, before count: Int) -> Bool {
        guard let index = decision(at: minute, on: day, before: count).rule else { return false }
        return rules[index].state != .closed || rules[index].explainsClosing
    }

    /// The state at a minute of a day, 0…1439.
    func state(at minute: Int, on day: HoursDay) -> OpeningState {
        guard !day.isEmpty else { return .closed }
        let decision = decision(at: minute, on: day, before: rules.count)
        let state = decision.rule.map { rules[$0].state } ?? .closed
        return state == .closed && decision.cutsNight ? .unknown : state
    }

    /// The rule that decides the state at a minute, if any.
    private struct Decision {
        /// The index of the rule; nil if no rule covers the minute.
        var rule: Int?
        /// `true` if hours of the night before covered the minute until a later rule replaced the hours of the day or
        /// closed it. The specification then says closed, but authors of such hours mean open.
        var cutsNight = false
    }

    /// The decision of the first `count` rules.
    private func decision(at minute: Int, on day: HoursDay, before count: Int) -> Decision {
        var decision = Decision()
        for index in 0..<count {
            let bit: UInt64 = 1 << UInt64(index)
            guard (day.named | day.nightBefore) & ~day.unused & bit != 0 else { continue }
            let isNamed = day.named & bit != 0
            let coversNight = day.nightBefore & bit != 0 && rules[index].covers(minute + HoursSpan.minutesOfDay)
            if isNamed, rules[index].governsDay {
                decision.cutsNight = decision.cutsNight || isNight(decision.rule, minute, on: day)
                decision.rule = nil
            }
            let earlier = decision.rule.map { rules[$0].state } ?? .closed
            let covers = coversNight || isCovering(index, minute, on: day)
            guard covers, rules[index].prevails(over: earlier) else { continue }
            decision.rule = index
            // Times that a separate rule closes are closed.
            if rules[index].state == .closed, !rules[index].closesDay { decision.cutsNight = false }
        }
        return decision
    }

    /// `true` if a rule covers a minute with hours of the night before that were not replaced on that day.
    private func isNight(_ rule: Int?, _ minute: Int, on day: HoursDay) -> Bool {
        guard let rule, rules[rule].state != .closed, day.replacedBefore >> UInt64(rule) & 1 == 0 else { return false }
        return !isCovering(rule, minute, on: day)
    }

    /// `true` if a rule names the day and covers a minute of it.
    private func isCovering(_ index: Int, _ minute: Int, on day: HoursDay) -> Bool {
        day.named >> UInt64(index) & 1 == 1 && rules[index].covers(minute)
    }
}

/// The rules that concern one day.
struct HoursDay {
    /// Days since 1970-01-01.
    let number: Int64
    /// The rules that name the day.
    let named: UInt64
    /// The rules that name the day before and last past midnight.
    let nightBefore: UInt64
    /// The rules that name the day before and were replaced there by later ones.
    var replacedBefore: UInt64 = 0
    /// Fallback rules without effect on this day.
    var unused: UInt64 = 0

    /// `true` if no rule concerns the day: the place is closed.
    var isEmpty: Bool { named | nightBefore == 0 }
}
