/// How a participant did, once the promise is final (domain §6.5 and §8).
public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// Credited before the meeting time.
    case early
    /// Credited from the meeting time until the grace ends.
    case onTime
    /// Credited when the grace had ended or later.
    case late
    /// Never arrived.
    case noShow
    /// Left during the window without an arrival.
    case left
    /// Excused by the owner.
    case excused

    /// The outcome of an arrival credited at `creditedAt`.
    public init(creditedAt: Instant, meetsAt: Instant, grace: TimeSpan) {
        if creditedAt < meetsAt {
            self = .early
        } else if creditedAt < meetsAt + grace {
            self = .onTime
        } else {
            self = .late
        }
    }

    /// Whether it counts as late in the statistics: late, no-show and left.
    public var countsAsLate: Bool {
        switch self {
        case .late, .noShow, .left: true
        case .early, .onTime, .excused: false
        }
    }
}
