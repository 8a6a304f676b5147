/// A time of day on a clock with minutes, `00:00` to `23:59`.
package struct ClockTime: Hashable, Sendable {
    /// Minutes since midnight, 0..<1,440.
    package let minutes: Int

    /// A time from its text, such as `22:30`; nil for anything else, `24:00` included.
    package init?(_ text: String) {
        let digits = text.utf8.map { Int($0) - Int(UInt8(ascii: "0")) }
        guard digits.count == 5, text.utf8.dropFirst(2).first == UInt8(ascii: ":"),
            [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) })
        else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[3] * 10 + digits[4])
        guard hour < 24, minute < 60 else { return nil }
        minutes = hour * 60 + minute
    }

    /// The text, such as `07:05`.
    package var text: String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

/// The local clock of a user, with its changes to and from daylight saving time.
package struct UserClock: Sendable {
    private let offset: @Sendable (Instant) -> Int

    /// A clock in a time zone.
    ///
    /// - Parameter offset: seconds that local time is ahead of UTC at an instant.
    package init(offset: @escaping @Sendable (Instant) -> Int) {
        self.offset = offset
    }

    package static let utc = UserClock { _ in 0 }

    /// How far local time is ahead of UTC at an instant.
    func ahead(at instant: Instant) -> TimeSpan { .milliseconds(Int64(offset(instant)) * 1_000) }

    /// The time since local midnight on the clock, shorter than a day.
    func timeOfDay(at instant: Instant) -> TimeSpan {
        .milliseconds((instant + ahead(at: instant)).milliseconds.modulo(TimeSpan.days(1).milliseconds))
    }
}

/// The hours in which a user wants no notifications: from one time of day, included, to another, excluded. They cross
/// midnight if the second is earlier.
package struct QuietHours: Hashable, Sendable {
    /// When they begin.
    package let from: ClockTime
    /// When they end; never equal to ``from``.
    package let to: ClockTime

    /// Quiet hours between two times; nil if they are equal.
    package init?(from: ClockTime, to: ClockTime) {
        guard from != to else { return nil }
        self.from = from
        self.to = to
    }

    /// The instant at which the quiet hours around `now` end on a clock; nil if `now` is outside them.
    ///
    /// The first instant after `now` whose local time is outside. A change of the clock may be that instant: forward
    /// across the end, or back across the beginning. If the end occurs twice, the first counts.
    package func end(at now: Instant, on clock: UserClock) -> Instant? {
        guard contains(clock.timeOfDay(at: now)) else { return nil }
        let end = now + rest(from: clock.timeOfDay(at: now))
        guard clock.ahead(at: end) != clock.ahead(at: now) else { return end }
        let change = QuietHours.change(of: clock, between: now, and: end)
        let time = clock.timeOfDay(at: change)
        return contains(time) ? change + rest(from: time) : change
    }

    private func contains(_ time: TimeSpan) -> Bool {
        let (start, end) = (TimeSpan.minutes(Int64(from.minutes)), TimeSpan.minutes(Int64(to.minutes)))
        return start < end ? time >= start && time < end : time >= start || time < end
    }

    /// From a time within the hours to their end.
    private func rest(from time: TimeSpan) -> TimeSpan {
        let rest = TimeSpan.minutes(Int64(to.minutes)) - time
        return rest > .zero ? rest : rest + .days(1)
    }

    /// The first instant with the offset of `later`, to the millisecond; `earlier` has another one.
    private static func change(of clock: UserClock, between earlier: Instant, and later: Instant) -> Instant {
        var (before, after) = (earlier, later)
        while after - before > .milliseconds(1) {
            let middle = before + .milliseconds((after - before).milliseconds / 2)
            if clock.ahead(at: middle) == clock.ahead(at: later) { after = middle } else { before = middle }
        }
        return after
    }
}
