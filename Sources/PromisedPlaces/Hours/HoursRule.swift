/// One rule of opening hours: a state at certain times on certain days.
struct HoursRule: Hashable, Sendable {
    /// The effect of a rule on the rules before it.
    enum Joint: Hashable, Sendable {
        /// `;`: on the days that it names, it replaces the rules before it.
        case replacing
        /// `,`: adds its times to those of the rules before it.
        case additional
        /// `||`: applies on days on which the rules before it leave the place closed.
        case fallback
    }

    let joint: Joint
    let state: OpeningState
    let days: DaySelector
    /// Never empty: a rule without times has the whole day.
    let spans: [HoursSpan]
    /// `true` if it closes the place and has a comment.
    let explainsClosing: Bool

    /// `true` if some of its times belong to the night after the named day.
    var lastsPastMidnight: Bool { spans.contains { $0.to > HoursSpan.minutesOfDay } }

    /// `true` if it discards the rules before it on the days that it names. Rules that close a place do not: they cut
    /// their times out of the hours of the others.
    var isReplacing: Bool { joint == .replacing && state != .closed }

    /// `true` if it replaces the hours of the days that it names, or closes these days from midnight to midnight.
    var governsDay: Bool { isReplacing || closesDay }

    /// `true` if it closes the whole of the days that it names.
    var closesDay: Bool { joint != .fallback && state == .closed && spans == [.wholeDay] }

    /// `true` if the rule covers a minute, counted from the midnight at which the named day begins.
    func covers(_ minute: Int) -> Bool {
        spans.contains { $0.from <= minute && minute < $0.to }
    }

    /// `true` if the rule overrides the state `earlier` of the rules before it, at a minute that it covers.
    func prevails(over earlier: OpeningState) -> Bool {
        // A fallback does not change hours of the night before, and a rule without times does not override times.
        joint == .fallback ? earlier == .closed : state != .thatDay || earlier != .open
    }
}

/// Times of a rule, in minutes from the midnight at which the named day begins.
struct HoursSpan: Hashable, Sendable {
    static let minutesOfDay = 1_440
    static let wholeDay = HoursSpan(from: 0, to: 1_440)

    /// The first minute, 0…1439.
    let from: UInt16
    /// The minute after the last: greater than `from`, and at most 24 hours greater.
    let to: UInt16
}
