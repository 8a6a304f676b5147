/// The three spans around the meeting time; a promise keeps those it was created under (domain §4).
public struct WindowSpans: Hashable, Sendable, Codable {
    /// From the opening of the window to the meeting time.
    public var before: TimeSpan
    /// From the meeting time to the end of the window.
    public var after: TimeSpan
    /// From the end of the window to the final result, for late uploads.
    public var settle: TimeSpan

    /// Spans; by default 30 minutes, 3 hours and 15 minutes.
    public init(before: TimeSpan = .minutes(30), after: TimeSpan = .hours(3), settle: TimeSpan = .minutes(15)) {
        self.before = before
        self.after = after
        self.settle = settle
    }
}
