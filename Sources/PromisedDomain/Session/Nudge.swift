/// One participant reminded another (domain §9); kept so that a restart does not forget how often that may be.
public struct Nudge: Hashable, Sendable {
    /// The sender.
    public var from: UserID
    /// The receiver.
    public var to: UserID
    /// When.
    public var at: Instant

    /// A reminder at an instant.
    public init(from: UserID, to: UserID, at: Instant) {
        self.from = from
        self.to = to
        self.at = at
    }
}

/// Numbers of the nudge (domain §9).
public enum NudgeRule {
    /// Sender and receiver.
    struct Pair: Hashable, Sendable {
        var from: UserID
        var to: UserID
    }

    /// At most one of a pair in this time; older ones need not be kept.
    public static let interval = TimeSpan.minutes(1)
    /// How long before and after the meeting time one may remind.
    public static let reach = TimeSpan.minutes(30)

    /// From half an hour before the meeting until half an hour after, both included.
    static func span(around meetsAt: Instant) -> ClosedRange<Instant> { (meetsAt - reach)...(meetsAt + reach) }
}
