/// A reminder from one participant to another (domain §9); stored, so that the rate limit survives a restart.
package struct Nudge: Hashable, Sendable {
    package var from: UserID
    package var to: UserID
    package var at: Instant

    package init(from: UserID, to: UserID, at: Instant) {
        self.from = from
        self.to = to
        self.at = at
    }
}

/// The parameters of reminders (domain §9).
package enum NudgeRule {
    struct Pair: Hashable, Sendable {
        var from: UserID
        var to: UserID
    }

    /// At most one reminder of a pair in this time; older ones need not be stored.
    package static let interval = TimeSpan.minutes(1)
    /// How long before and after the meeting time reminders are possible.
    package static let reach = TimeSpan.minutes(30)

    /// From half an hour before the meeting until half an hour after, both included.
    static func span(around meetsAt: Instant) -> ClosedRange<Instant> { (meetsAt - reach)...(meetsAt + reach) }
}
