/// The decision about a notification when it arises, or when its hold ends.
package enum NotificationDecision: Hashable, Sendable {
    /// Its kind is off: stored as read, without notifying the user.
    case off
    /// The user sees its subject: stored as read, without notifying the user.
    case seen
    /// Delayed until the hold ends.
    case held(NotificationHold)
    /// Sent to the connections as an event, and possibly to the phone.
    case told(Phone)

    /// The decision about also sending a notification to the phone.
    package enum Phone: Hashable, Sendable {
        /// A connection is active, so the event is enough.
        case unneeded
        /// It is sent to the phone.
        case reached
        /// It would be sent to the phone, but the hour's allowance is used up.
        case limited
    }
}

/// The circumstances in which notifications of one user are decided.
package struct NotificationCircumstances: Sendable {
    /// The longest time that notifications are held while the user is writing.
    package static let longestWriting = TimeSpan.minutes(10)

    /// The user's settings.
    package var settings: NotificationSettings
    /// The focuses of active connections, on all nodes.
    package var active: [NotificationFocus]
    /// The user's local clock.
    package var clock: UserClock
    /// `true` if the phone's allowance is not used up.
    package var mayReachPhone: Bool

    package init(settings: NotificationSettings, active: [NotificationFocus], clock: UserClock, mayReachPhone: Bool) {
        self.settings = settings
        self.active = active
        self.clock = clock
        self.mayReachPhone = mayReachPhone
    }

    /// `true` if the user is writing on any connection.
    package var isWriting: Bool { active.contains { $0.screen == .writing } }

    /// Decides about a topic at `now`: the first rule that applies.
    ///
    /// - Parameter mayWait: `false` for a notification that was already held because the user was writing; it is not
    ///   held for that again.
    package func decide(
        on topic: NotificationTopic,
        at now: Instant,
        mayWaitForWriting mayWait: Bool = true
    ) -> NotificationDecision {
        if settings.off.contains(topic.kind) { return .off }
        if active.contains(where: { $0.shows(topic) }) { return .seen }
        if mayWait, isWriting {
            return .held(NotificationHold(.writing, until: now + NotificationCircumstances.longestWriting))
        }
        if let end = settings.quietHours?.end(at: now, on: clock), !topic.isUrgent(inQuietHoursUntil: end) {
            return .held(NotificationHold(.quietHours, until: end))
        }
        guard active.isEmpty else { return .told(.unneeded) }
        return .told(mayReachPhone ? .reached : .limited)
    }
}

/// The allowance of notifications to a user's phone: ``most`` in any hour.
package struct PhoneAllowance: Hashable, Sendable {
    /// The most in any ``span``.
    package static let most = 30
    package static let span = TimeSpan.hours(1)

    /// When the phone was notified, ascending; at most ``most``.
    private var used: [Instant]

    /// An allowance with the instants at which the phone was notified before.
    package init(used: [Instant] = []) {
        self.used = used.sorted().suffix(PhoneAllowance.most)
    }

    /// `true` if the phone may be notified at `now`.
    package func isLeft(at now: Instant) -> Bool {
        used.count < PhoneAllowance.most || used[0] + PhoneAllowance.span <= now
    }

    /// Counts a notification of the phone at `now`.
    ///
    /// - Precondition: the allowance is not used up.
    mutating func use(at now: Instant) {
        precondition(isLeft(at: now), "The allowance of the hour is spent")
        if used.count == PhoneAllowance.most { used.removeFirst() }
        used.append(now)
    }
}
