/// One participant reminded another (domain §9); kept so that a restart does not forget how often that may be.
package struct Nudge: Hashable, Sendable {
    /// The sender.
    package var from: UserID
    /// The receiver.
    package var to: UserID
    /// When.
    package var at: Instant

    /// A reminder at an instant.
    package init(from: UserID, to: UserID, at: Instant) {
        self.from = from
        self.to = to
        self.at = at
    }
}

/// Numbers of the nudge (domain §9).
package enum NudgeRule {
    /// Sender and receiver.
    struct Pair: Hashable, Sendable {
        var from: UserID
        var to: UserID
    }

    /// At most one of a pair in this time; older ones need not be kept.
    package static let interval = TimeSpan.minutes(1)
    /// How long before and after the meeting time one may remind.
    package static let reach = TimeSpan.minutes(30)

    /// From half an hour before the meeting until half an hour after, both included.
    static func span(around meetsAt: Instant) -> ClosedRange<Instant> { (meetsAt - reach)...(meetsAt + reach) }
}
