package typealias NotificationID = ID<UserNotification>

extension ID where Subject == UserNotification {
    /// The deterministic id of a user's notification for a reason, so that a repeat is the same notification (a UUID of
    /// version 8, RFC 9562 §5.8).
    ///
    /// - Parameter occasion: distinguishes repeated events of one kind and subject.
    package init(of topic: NotificationTopic, causedBy other: UserID?, for user: UserID, occasion: UInt64) {
        let subject = topic.subject.words
        let words = [
            user.high, user.low, topic.kind.number, subject.0, subject.1, other?.high ?? 0, other?.low ?? 0, occasion,
        ]
        var (first, second) = (UInt64(0x9E37_79B9_7F4A_7C15), UInt64(0xC2B2_AE3D_27D4_EB4F))
        for word in words {
            first = (first ^ word).mixed &+ second
            second = (second &+ word).mixed ^ first
        }
        self.init(high: first & ~0xF000 | 0x8000, low: second & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
}

extension UInt64 {
    /// The finalizer of SplitMix64: each bit depends on all.
    fileprivate var mixed: UInt64 {
        var word = self
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}

/// A notification for one user.
package struct UserNotification: Hashable, Sendable {
    package let id: NotificationID
    /// When it arose.
    package let at: Instant
    /// Its kind and subject.
    package let topic: NotificationTopic
    /// The other user who caused it, if any: the owner who invites, the sender of a reminder or a request.
    package let userID: UserID?

    package init(id: NotificationID, at: Instant, topic: NotificationTopic, userID: UserID? = nil) {
        self.id = id
        self.at = at
        self.topic = topic
        self.userID = userID
    }

    /// The screen that a client opens for it.
    package var route: NotificationRoute { NotificationRoute(to: topic) }
}

/// The screen and the ids that a client needs to open a notification.
package struct NotificationRoute: Hashable, Sendable {
    /// The screen; ``FocusScreen/other`` if only the kind of notification determines it.
    package var screen: FocusScreen
    /// The promise to show there.
    package var promiseID: PromiseID?
    /// The visit to show there.
    package var visitID: VisitID?
    /// The course to show there.
    package var courseID: CourseID?
    /// The recording to show there.
    package var recordingID: RecordingID?

    package init(to topic: NotificationTopic) {
        switch topic.subject {
        case .promise(let promise):
            screen = .meetup
            promiseID = promise
        case .user:
            screen = .home
        case .visit(let visit):
            screen = .other
            visitID = visit
        case .recording(let recording):
            screen = .recording
            recordingID = recording
        case .course(let course):
            screen = .course
            courseID = course
        case .account:
            screen = .other
        }
    }
}

/// One notification in a user's inbox.
package struct NotificationEntry: Hashable, Sendable {
    package var notification: UserNotification
    /// `true` once the user has read it, or if it was stored as read.
    package var isRead: Bool
    /// Why the notification is delayed, and until when; nil if it is not held.
    package var hold: NotificationHold?

    package init(_ notification: UserNotification, isRead: Bool = false, hold: NotificationHold? = nil) {
        self.notification = notification
        self.isRead = isRead
        self.hold = hold
    }
}

/// The reason for holding a notification, and the end.
package struct NotificationHold: Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The user is writing; the hold also ends when they stop.
        case writing
        /// The user's quiet hours.
        case quietHours
    }

    package var reason: Reason
    /// The first instant at which the notification is no longer held for this reason.
    package var until: Instant

    package init(_ reason: Reason, until: Instant) {
        self.reason = reason
        self.until = until
    }
}
