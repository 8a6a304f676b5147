import PromisedDomain

/// The users and subjects of the notification tests.
enum Sample {
    static let promise = PromiseID(high: 1, low: 1)
    static let otherPromise = PromiseID(high: 1, low: 2)
    static let friend = UserID(high: 2, low: 1)
    static let phone = FocusTable.Connection(number: 1)
    static let tablet = FocusTable.Connection(number: 2)

    /// 2026-11-21T12:00:00Z.
    static let noon = Instant(milliseconds: 1_795_262_400_000)

    /// Every kind, about ``promise`` if about a promise; the promise of the invitation begins in three days.
    static let topics: [NotificationTopic] = [
        .invited(promise, meetsAt: noon + .days(3)), .trackingStarted(promise), .nudged(promise),
        .friendRequested(friend),
        .resultFinal(promise), .weatherTurned(promise), .visitMade(VisitID(high: 3, low: 1)),
        .recordingInterrupted(RecordingID(high: 4, low: 1)), .courseShared(CourseID(high: 5, low: 1)), .exportReady,
    ]

    static func notification(_ number: UInt64, _ topic: NotificationTopic, at instant: Instant) -> UserNotification {
        UserNotification(id: NotificationID(high: 9, low: number), at: instant, topic: topic, userID: friend)
    }

    static func hours(_ from: String, _ to: String) -> QuietHours? {
        guard let from = ClockTime(from), let to = ClockTime(to) else { return nil }
        return QuietHours(from: from, to: to)
    }

    /// 22:30 to 07:00.
    static let night = hours("22:30", "07:00")
}

extension [NotificationEffect] {
    /// The delivered notifications, in order.
    var told: [UserNotification] {
        compactMap { effect in
            guard case .tell(let notification) = effect else { return nil }
            return notification
        }
    }

    /// The notifications that go to the phone, in order.
    var pushed: [UserNotification] {
        compactMap { effect in
            guard case .push(let notification) = effect else { return nil }
            return notification
        }
    }

    /// The decisions, in order.
    var decisions: [NotificationDecision] {
        compactMap { effect in
            guard case .decided(_, let decision) = effect else { return nil }
            return decision
        }
    }

    /// The requested wakes.
    var wakes: [Instant] {
        compactMap { effect in
            guard case .wake(let instant) = effect else { return nil }
            return instant
        }
    }
}
