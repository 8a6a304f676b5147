package import PromisedDomain

/// The weather of a promise at its meeting time: when it is prefetched, and which changes are announced.
package enum WeatherWatch {
    /// How long before the meeting time a promise's cell is prefetched, longest first.
    package static let leads: [TimeSpan] = [.hours(24), .hours(3), .minutes(30)]
    /// Changes are announced from this long before the meeting time.
    package static let changeLead = TimeSpan.hours(24)
    /// A turn for the worse is announced from this long before the meeting time.
    package static let turnLead = TimeSpan.hours(3)
    /// The smallest announced difference in temperature, in °C.
    package static let temperatureStep = 3.0

    /// The next instant after `now` at which the cell of a promise is prefetched; nil without one.
    package static func nextPrefetch(forMeetingAt meetingTime: Instant, after now: Instant) -> Instant? {
        leads.map { meetingTime - $0 }.first { $0 > now }
    }

    /// The instants in `span`, end excluded, at which the cell of a promise is prefetched.
    package static func prefetches(forMeetingAt meetingTime: Instant, in span: Range<Instant>) -> [Instant] {
        leads.map { meetingTime - $0 }.filter { span.contains($0) }
    }

    /// The effect of a cell's refresh on a promise.
    package struct News: Hashable, Sendable {
        /// `true` if subscribers of the promise receive the new outlook.
        package let isChange: Bool
        /// `true` if the people of the promise are notified.
        package let isTurn: Bool
    }

    /// The news at `now` when one hour at the meeting time replaces another.
    ///
    /// - Parameters:
    ///   - old: the hour before the refresh; nil if the cell had no record; then there is no change.
    ///   - new: the hour after it; nil if there is none.
    ///   - hasTurned: `true` if the people of the promise were notified before.
    package static func news(
        from old: WeatherHour?,
        to new: WeatherHour?,
        meetingAt meetingTime: Instant,
        now: Instant,
        hasTurned: Bool
    ) -> News {
        guard let new, now >= meetingTime - changeLead else { return News(isChange: false, isTurn: false) }
        let isTurn = !hasTurned && now >= meetingTime - turnLead && isWorse(new, than: old)
        guard let old else { return News(isChange: false, isTurn: isTurn) }
        return News(isChange: old.advice != new.advice || hasMoved(old, new), isTurn: isTurn)
    }

    /// `true` if a new warning appears.
    private static func isWorse(_ new: WeatherHour, than old: WeatherHour?) -> Bool {
        let warnings: [WeatherAdvice] = [.dangerous, .slippery]
        return warnings.contains { new.advice.contains($0) && !(old?.advice.contains($0) ?? false) }
    }

    private static func hasMoved(_ old: WeatherHour, _ new: WeatherHour) -> Bool {
        guard let before = old.forecast.temperatureCelsius, let after = new.forecast.temperatureCelsius else {
            return false
        }
        // Both are tenths of a degree, whose difference may be slightly low due to rounding.
        return abs(after - before) >= temperatureStep - 0.001
    }
}
