package import PromisedDomain

package enum VisitLimits {
    /// The most visits of a user for adding another by hand. Visits from arrivals are created beyond it.
    package static let visits = 10_000
    /// The most characters of a title.
    package static let title = 100
    /// The most characters of a memo.
    package static let memo = 2_000
    /// How far ahead of the server's clock a visit may be.
    package static let furthestAhead = TimeSpan.minutes(5)
    /// How many years back a visit may be.
    package static let yearsBack: Int64 = 20

    /// Checks the time of a visit. Throws `invalid` with the field `visitedAt`.
    static func check(_ at: Instant, now: Instant) throws(Refusal) {
        guard at <= now + furthestAhead, at >= earliest(at: now) else { throw .invalid(field: "visitedAt") }
    }

    /// The same moment of the calendar ``yearsBack`` years ago, in UTC; February 29 becomes March 1.
    private static func earliest(at now: Instant) -> Instant {
        let today = CivilDate(daysSince1970: now.milliseconds.dividedFloor(by: 86_400_000))
        var then = CivilDate(year: today.year - yearsBack, month: today.month, day: today.day)
        if then.daysSince1970 == nil { then = CivilDate(year: then.year, month: 3, day: 1) }
        let days = then.daysSince1970 ?? 0
        return Instant(milliseconds: days * 86_400_000 + now.milliseconds.modulo(86_400_000))
    }

    /// Checks an audience. Throws `invalid` with the field.
    static func check(_ audience: Audience) throws(Refusal) {
        guard audience != .people else { throw .invalid(field: "audience") }
    }
}
