extension Promise {
    /// The first instant of the window.
    public var opensAt: Instant { meetsAt - spans.before }

    /// The end of the window, which the window excludes.
    public var closesAt: Instant { meetsAt + spans.after }

    /// When the result becomes final.
    public var settlesAt: Instant { closesAt + spans.settle }

    /// How long after the meeting time an arrival is still on time: what the rule says, but never longer than the window,
    /// whatever an older version stored (domain §6.5).
    public var grace: TimeSpan { min(rule.grace, spans.after) }

    /// The first instant at which an arrival is late; not after the end of the window.
    public var lateFrom: Instant { meetsAt + grace }

    /// The instants at which positions count: the start included, the end excluded.
    public var window: Range<Instant> { opensAt..<closesAt }

    /// Where the promise stands at `now`, by the clock alone unless it was cancelled.
    public func status(at now: Instant) -> PromiseStatus {
        if cancelledAt != nil { return .cancelled }
        if now < opensAt { return .scheduled }
        if now < closesAt { return .tracking }
        return now < settlesAt ? .settling : .final
    }
}
