/// How fresh a participant's position is for the others, and the cause if it is not (domain §5).
package struct Presence: Hashable, Sendable {
    package var userID: UserID
    package var freshness: Freshness
    /// The cause, if known.
    package var cause: PresenceCause
    /// When the server last received a fix of the participant; nil if never.
    package var lastSeenAt: Instant?
    /// The time of the last fix that showed movement; nil if never.
    package var lastMovedAt: Instant?

    package init(
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

/// Why there is no fresh position.
package enum PresenceCause: String, Hashable, Sendable, Codable, CaseIterable {
    /// No known problem.
    case none
    /// No connection.
    case offline
    /// The phone cannot determine its position.
    case noFix
    /// Sharing is switched off.
    case paused
    /// The app may not read the position.
    case permission
    /// The phone saves its battery.
    case lowBattery
}

/// How fresh a participant's position is, counted from when the next report was due (domain §5).
package enum Freshness: String, Hashable, Sendable, Codable, CaseIterable {
    /// At most 10 s after.
    case live
    /// At most 40 s after.
    case lagging
    /// At most 5 minutes after.
    case stale
    /// Longer, or never.
    case lost

    // How long after the due time of a report each freshness ends.
    private static let liveSpan = TimeSpan.seconds(10)
    private static let laggingSpan = TimeSpan.seconds(40)
    private static let staleSpan = TimeSpan.minutes(5)

    /// The freshness at `now` of a participant whose next report was due at `dueAt`.
    package init(dueAt: Instant, at now: Instant) {
        let overdue = now - dueAt
        if overdue <= Freshness.liveSpan {
            self = .live
        } else if overdue <= Freshness.laggingSpan {
            self = .lagging
        } else {
            self = overdue <= Freshness.staleSpan ? .stale : .lost
        }
    }
}

extension Freshness {
    /// The first instant after `now` at which a participant whose next report was due at `dueAt` is less fresh; nil
    /// once lost.
    static func nextChange(dueAt: Instant, after now: Instant) -> Instant? {
        let overdue = now - dueAt
        if overdue <= liveSpan { return dueAt + liveSpan + .milliseconds(1) }
        if overdue <= laggingSpan { return dueAt + laggingSpan + .milliseconds(1) }
        return overdue <= staleSpan ? dueAt + staleSpan + .milliseconds(1) : nil
    }
}
