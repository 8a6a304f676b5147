package import PromisedDomain

/// The state of a place at an instant, and when it changes.
package struct OpeningOutlook: Hashable, Sendable {
    /// How far ahead a change is searched; the end is included.
    package static let horizon = TimeSpan.days(35)

    /// The state at the instant.
    package let state: OpeningState
    /// The first change after the instant, within ``horizon``.
    package let change: OpeningChange?
    /// `true` if the opening hours name public holidays, and the operator has listed none for a year between the
    /// instant and the change (without a change: the end of the horizon).
    package let holidaysUnknown: Bool

    /// When the place opens next, at a known time; nil if it is open.
    package var opensAt: Instant? {
        guard state != .open, let change, change.state == .open else { return nil }
        return change.at
    }

    /// When the place closes at known times; nil if it is not open.
    package var closesAt: Instant? {
        state == .open ? change?.at : nil
    }
}

/// A change of the state of a place.
package struct OpeningChange: Hashable, Sendable {
    /// The first instant of the new state.
    package let at: Instant
    package let state: OpeningState
}

/// The opening hours of seven consecutive days.
///
/// A span belongs to the day on which it begins: hours after midnight, up to 02:00, are shown with the day before, as in
/// `20:00` to `26:00`. A span that ends later is divided at midnight.
package struct OpeningWeek: Equatable, Sendable {
    /// How many days a week has.
    package static let length: Int64 = 7

    /// Ascending by date, ``length`` of them.
    package let days: [OpeningDay]
    /// `true` if the opening hours name public holidays, and the operator has listed none for a year of these days.
    package let holidaysUnknown: Bool

    init(_ rules: HoursRules, from today: Int64, holidays: HolidayCalendar, holidaysUnknown: Bool) {
        var evaluated = [rules.day(today - 1, holidays: holidays)]
        for _ in 0...Self.length {
            evaluated.append(rules.day(after: evaluated[evaluated.count - 1], holidays: holidays))
        }
        let pieces = evaluated.map { rules.pieces(of: $0) }
        days = (1...Int(Self.length)).map { index in
            OpeningDay(
                date: CivilDate(daysSince1970: evaluated[index].number),
                pieces: pieces[index],
                before: pieces[index - 1],
                after: pieces[index + 1]
            )
        }
        self.holidaysUnknown = holidaysUnknown
    }
}

/// The opening hours of one day.
package struct OpeningDay: Equatable, Sendable {
    /// The date on the calendar of the place.
    package let date: CivilDate
    /// Open with at least one span; otherwise open that day, unknown or closed.
    package let state: OpeningState
    /// Ascending, without overlaps.
    package let spans: [OpeningSpan]

    fileprivate init(date: CivilDate, pieces: [HoursPiece], before: [HoursPiece], after: [HoursPiece]) {
        var open = pieces.filter { $0.state == .open }
        if let first = open.first, first.isEndOfNight, before.last?.state == .open { open.removeFirst() }
        if let last = open.last, last.to == HoursSpan.minutesOfDay, let night = after.first, night.state == .open,
            night.isEndOfNight
        {
            open[open.count - 1].to += night.to
        }
        self.date = date
        spans = open.map { OpeningSpan(fromMinute: $0.from, toMinute: $0.to) }
        // The rest of a night that the day's own rule cuts off does not count for the state of the day.
        let isCutNight = pieces.count > 1 && pieces[0].state == .unknown && before.last?.state == .open
        let own = isCutNight ? pieces[1...] : pieces[...]
        let others = [OpeningState.thatDay, .unknown].first { state in own.contains { $0.state == state } }
        state = spans.isEmpty ? others ?? .closed : .open
    }
}

/// Times between which a place is open.
package struct OpeningSpan: Hashable, Sendable {
    /// Minutes from the midnight at which the day begins, 0…1439.
    package let fromMinute: Int
    /// The minute after the last, up to 1560 (26:00).
    package let toMinute: Int

    /// The beginning in the form `09:00`.
    package var from: String { Self.text(fromMinute) }
    /// The end in the form `18:00`; up to `26:00`.
    package var to: String { Self.text(toMinute) }

    private static func text(_ minute: Int) -> String {
        [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

/// A part of a day with one state.
private struct HoursPiece {
    static let lastMinuteOfNight = 120

    let from: Int
    var to: Int
    let state: OpeningState

    /// `true` if the piece can be shown with the day before.
    var isEndOfNight: Bool { from == 0 && to <= Self.lastMinuteOfNight }
}

extension HoursRules {
    /// The parts of a day, ascending; neighbours have different states.
    fileprivate func pieces(of day: HoursDay) -> [HoursPiece] {
        var pieces: [HoursPiece] = []
        for (index, boundary) in boundaries.enumerated() {
            let end = index + 1 < boundaries.count ? Int(boundaries[index + 1]) : HoursSpan.minutesOfDay
            let state = state(at: Int(boundary), on: day)
            if pieces.last?.state == state {
                pieces[pieces.count - 1].to = end
            } else {
                pieces.append(HoursPiece(from: Int(boundary), to: end, state: state))
            }
        }
        return pieces
    }
}
