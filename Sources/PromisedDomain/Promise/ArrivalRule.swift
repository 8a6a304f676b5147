/// How a promise decides who arrived; recorded with the promise, so that later changes of settings do not touch it.
public struct ArrivalRule: Hashable, Sendable, Codable {
    /// The two ways to detect an arrival.
    public enum Name: String, Hashable, Sendable, Codable, CaseIterable {
        /// Stays, lingers or falls silent inside the circle (domain §6.1–§6.3).
        case robust
        /// The first fix inside counts at once (domain §6.8); for parity with simple trackers.
        case firstFix
    }

    /// What happens to fixes that a phone marks as simulated.
    public enum MockPolicy: String, Hashable, Sendable, Codable, CaseIterable {
        /// They count, and the flag is kept for the explanation.
        case flag
        /// They are refused.
        case reject
    }

    /// The way arrivals are detected.
    public var name: Name
    /// How long after the meeting time an arrival still counts as on time.
    public var grace: TimeSpan
    /// What happens to simulated positions.
    public var mock: MockPolicy

    /// A rule; by default the robust one with a minute of grace that flags simulated positions.
    public init(name: Name = .robust, grace: TimeSpan = .seconds(60), mock: MockPolicy = .flag) {
        self.name = name
        self.grace = grace
        self.mock = mock
    }
}
