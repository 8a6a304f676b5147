/// Names a notification.
package typealias NotificationID = ID<UserNotification>

/// Something that one user should be told.
package struct UserNotification: Hashable, Sendable {
    /// Its id.
    package let id: NotificationID
    /// When it arose.
    package let at: Instant
    /// Its kind and subject.
    package let topic: NotificationTopic
    /// The other user who caused it, if any: the owner who invites, the sender of a reminder or a request.
    package let userID: UserID?

    /// A notification with all its fields.
    package init(id: NotificationID, at: Instant, topic: NotificationTopic, userID: UserID? = nil) {
        self.id = id
        self.at = at
        self.topic = topic
        self.userID = userID
    }

    /// Where a client goes when the user opens it.
    package var route: NotificationRoute { NotificationRoute(to: topic) }
}

/// The screen and the ids that a client needs to open a notification.
package struct NotificationRoute: Hashable, Sendable {
    /// The screen; ``FocusScreen/other`` where the kind of notification alone says which.
    package var screen: FocusScreen
    /// The promise to show there.
    package var promiseID: PromiseID?
    /// The visit to show there.
    package var visitID: VisitID?
    /// The course to show there.
    package var courseID: CourseID?
    /// The recording to show there.
    package var recordingID: RecordingID?

    /// The route to a topic.
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
    /// The notification.
    package var notification: UserNotification
    /// `true` once the user has read it, or if it was never to be told.
    package var isRead: Bool
    /// Why the user has not been told yet, and until when; nil for one that is not held back.
    package var hold: NotificationHold?

    /// An entry with all its fields.
    package init(_ notification: UserNotification, isRead: Bool = false, hold: NotificationHold? = nil) {
        self.notification = notification
        self.isRead = isRead
        self.hold = hold
    }
}

/// Why a notification is held back.
package struct NotificationHold: Hashable, Sendable {
    /// The two reasons.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The user is writing; the hold also ends with that.
        case writing
        /// It is the user's quiet hours.
        case quietHours
    }

    /// The reason.
    package var reason: Reason
    /// The first instant at which the notification is no longer held for this reason.
    package var until: Instant

    /// A hold until an instant.
    package init(_ reason: Reason, until: Instant) {
        self.reason = reason
        self.until = until
    }
}
