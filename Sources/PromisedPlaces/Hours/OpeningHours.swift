package import PromisedDomain

/// The opening hours of a place, read from a text in the grammar of OpenStreetMap's `opening_hours`.
///
/// Beyond that grammar, `day 2,7` names the days of the month whose last digit is 2 or 7. School holidays, weeks of the
/// year, Easter and the sun are not supported. Where the specification leaves room, we follow its evaluators:
/// - a rule with only a comment is a rule without times;
/// - `Tu, Fr 08:00-13:00` is two rules, the first without times: the blank after the comma begins an additional rule;
/// - a rule after `;` replaces earlier rules from midnight to midnight on the days that it names; one after `,` leaves them.
///   Hours of the night before that it replaces are unknown, unless it names and closes them: evaluators call the place
///   closed then, and people who write `Fr 20:00-03:00; Sa 12:00-20:00`, or `Sa off`, mean that it is open.
///
/// Times are those of a local clock. When clocks are set back, the repeated hour has the same states twice; times that
/// are skipped when clocks are set forward do not occur. Equal rules yield equal values, regardless of their spelling.
package struct OpeningHours: Hashable, Sendable {
    private let rules: HoursRules

    /// Reads a text; nil if any part of it is unreadable.
    package init?(_ text: String) {
        guard let rules = HoursParser.rules(of: text) else { return nil }
        self.rules = HoursRules(rules)
    }

    /// The state at an instant, on the clock and calendar of the place.
    package func state(
        at instant: Instant,
        in zone: ZoneOffsets,
        holidays: HolidayCalendar = .empty
    ) -> OpeningState {
        let local = LocalMinute(instant, in: zone)
        return rules.state(at: local.minute, on: rules.day(local.day, holidays: holidays))
    }

    /// The state at an instant, and when it changes next.
    package func outlook(
        at instant: Instant,
        in zone: ZoneOffsets,
        holidays: HolidayCalendar = .empty
    ) -> OpeningOutlook {
        let state = state(at: instant, in: zone, holidays: holidays)
        let limit = instant + OpeningOutlook.horizon
        let change = change(from: state, after: instant, upTo: limit, in: zone, holidays: holidays)
        let days = [instant, change?.at ?? limit].map { LocalMinute($0, in: zone).day }
        return OpeningOutlook(
            state: state,
            change: change,
            holidaysUnknown: areHolidaysUnknown(days, in: holidays)
        )
    }

    /// The next seven days, today first.
    package func week(
        from instant: Instant,
        in zone: ZoneOffsets,
        holidays: HolidayCalendar = .empty
    ) -> OpeningWeek {
        let today = LocalMinute(instant, in: zone).day
        return OpeningWeek(
            rules,
            from: today,
            holidays: holidays,
            holidaysUnknown: areHolidaysUnknown([today, today + OpeningWeek.length - 1], in: holidays)
        )
    }

    /// `true` if the text names holidays and one of the days, less than a year apart, lies in a year without a list.
    private func areHolidaysUnknown(_ days: [Int64], in holidays: HolidayCalendar) -> Bool {
        rules.usesHolidays && days.contains { !holidays.knows(year: CivilDate(daysSince1970: $0).year) }
    }

    /// The first instant whose state differs from `state`, after one instant and not after the other.
    private func change(
        from state: OpeningState,
        after instant: Instant,
        upTo limit: Instant,
        in zone: ZoneOffsets,
        holidays: HolidayCalendar
    ) -> OpeningChange? {
        var start = instant
        while true {
            let end = zone.nextTransition(after: start).flatMap { $0 <= limit ? $0 : nil }
            // Up to the transition local time runs evenly. The transition itself can change the state: clocks jump.
            let offset = TimeSpan(milliseconds: Int64(zone.offsetSeconds(at: start)) * 1_000)
            let last = end.map { $0 - .milliseconds(1) } ?? limit
            if let change = change(from: state, after: start, upTo: last, offset: offset, holidays: holidays) {
                return change
            }
            guard let end else { return nil }
            let next = self.state(at: end, in: zone, holidays: holidays)
            guard next == state else { return OpeningChange(at: end, state: next) }
            start = end
        }
    }

    /// Searches within a period of one offset from UTC.
    private func change(
        from state: OpeningState,
        after instant: Instant,
        upTo limit: Instant,
        offset: TimeSpan,
        holidays: HolidayCalendar
    ) -> OpeningChange? {
        let firstDay = (instant + offset).milliseconds.dividedFloor(by: LocalMinute.millisecondsOfDay)
        var day = rules.day(firstDay, holidays: holidays)
        while true {
            let midnight = Instant(milliseconds: day.number * LocalMinute.millisecondsOfDay) - offset
            for minute in day.isEmpty ? [0] : rules.boundaries {
                let at = midnight + .minutes(Int64(minute))
                guard at > instant else { continue }
                guard at <= limit else { return nil }
                let next = rules.state(at: Int(minute), on: day)
                guard next == state else { return OpeningChange(at: at, state: next) }
            }
            guard midnight <= limit else { return nil }
            day = rules.day(after: day, holidays: holidays)
        }
    }
}

/// A minute of the local calendar.
private struct LocalMinute {
    static let millisecondsOfDay: Int64 = 86_400_000

    /// Days since 1970-01-01.
    let day: Int64
    /// 0…1439.
    let minute: Int

    init(_ instant: Instant, in zone: ZoneOffsets) {
        let local = zone.localMilliseconds(at: instant)
        day = local.dividedFloor(by: Self.millisecondsOfDay)
        minute = Int(local.modulo(Self.millisecondsOfDay) / 60_000)
    }
}
