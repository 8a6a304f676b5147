/// How fresh what others see of a participant is, and why it is not fresher (domain §5).
public struct Presence: Hashable, Sendable {
    /// Whose.
    public var userID: UserID
    /// How fresh.
    public var freshness: Freshness
    /// Why it is not fresher, where that is known.
    public var cause: PresenceCause
    /// When the server last received a fix of theirs; nil when never.
    public var lastSeenAt: Instant?
    /// The time of the last fix by which they had moved; nil when never.
    public var lastMovedAt: Instant?

    /// A presence with all its fields.
    public init(
        userID: UserID,
        freshness: Freshness,
        cause: PresenceCause = .none,
        lastSeenAt: Instant? = nil,
        lastMovedAt: Instant? = nil
    ) {
        self.userID = userID
        self.freshness = freshness
        self.cause = cause
        self.lastSeenAt = lastSeenAt
        self.lastMovedAt = lastMovedAt
    }
}

/// Why no fresh position of somebody is there.
public enum PresenceCause: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing is wrong, or nothing is known.
    case none
    /// No connection.
    case offline
    /// The phone cannot tell where it is.
    case noFix
    /// Sharing is switched off.
    case paused
    /// The app may not read the position.
    case permission
    /// The phone saves its battery.
    case lowBattery
}
