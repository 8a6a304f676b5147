/// The kinds of notifications.
package enum NotificationKind: String, Hashable, Sendable, CaseIterable {
    /// Another user invites the user to a promise.
    case invited
    /// The window of a promise opens.
    case trackingStarted
    /// A participant reminds the user.
    case nudged
    /// Another user requests friendship.
    case friendRequested
    /// The result of a promise is final.
    case resultFinal
    /// The weather at the meeting time of a promise becomes dangerous or slippery.
    case weatherTurned
    /// The server creates a visit for an arrival.
    case visitMade
    /// A recording has had no points for hours.
    case recordingInterrupted
    /// A friend shares a course with the user.
    case courseShared
    /// The archive of the user's data is ready.
    case exportReady

    /// Its constant number in ids.
    var number: UInt64 {
        switch self {
        case .invited: 1
        case .trackingStarted: 2
        case .nudged: 3
        case .friendRequested: 4
        case .resultFinal: 5
        case .weatherTurned: 6
        case .visitMade: 7
        case .recordingInterrupted: 8
        case .courseShared: 9
        case .exportReady: 10
        }
    }
}

/// The subject of a notification: of held notifications, only the latest of each kind and subject is stored.
package enum NotificationSubject: Hashable, Sendable {
    case promise(PromiseID)
    /// Another user.
    case user(UserID)
    /// A visit of the user's.
    case visit(VisitID)
    /// A recording of the user's.
    case recording(RecordingID)
    /// A course of a friend.
    case course(CourseID)
    /// The user's own account.
    case account

    /// The two halves of its id; zeros for the account.
    var words: (UInt64, UInt64) {
        switch self {
        case .promise(let id): (id.high, id.low)
        case .user(let id): (id.high, id.low)
        case .visit(let id): (id.high, id.low)
        case .recording(let id): (id.high, id.low)
        case .course(let id): (id.high, id.low)
        case .account: (0, 0)
        }
    }
}

/// The content of a notification: its kind with its subject.
package enum NotificationTopic: Hashable, Sendable {
    /// An invitation to a promise with its meeting time.
    case invited(PromiseID, meetsAt: Instant)
    /// The window of a promise opens.
    case trackingStarted(PromiseID)
    /// A reminder by a participant of a promise.
    case nudged(PromiseID)
    /// A request by a user.
    case friendRequested(UserID)
    case resultFinal(PromiseID)
    /// The weather at the meeting time of a promise.
    case weatherTurned(PromiseID)
    /// A visit created for an arrival.
    case visitMade(VisitID)
    /// A recording without points.
    case recordingInterrupted(RecordingID)
    /// A course of a friend.
    case courseShared(CourseID)
    /// The archive of the user's data.
    case exportReady

    package var kind: NotificationKind {
        switch self {
        case .invited: .invited
        case .trackingStarted: .trackingStarted
        case .nudged: .nudged
        case .friendRequested: .friendRequested
        case .resultFinal: .resultFinal
        case .weatherTurned: .weatherTurned
        case .visitMade: .visitMade
        case .recordingInterrupted: .recordingInterrupted
        case .courseShared: .courseShared
        case .exportReady: .exportReady
        }
    }

    package var subject: NotificationSubject {
        switch self {
        case .invited(let promise, _), .trackingStarted(let promise), .nudged(let promise), .resultFinal(let promise),
            .weatherTurned(let promise):
            .promise(promise)
        case .friendRequested(let user): .user(user)
        case .visitMade(let visit): .visit(visit)
        case .recordingInterrupted(let recording): .recording(recording)
        case .courseShared(let course): .course(course)
        case .exportReady: .account
        }
    }

    /// `true` if a newer notification of the same kind and subject proves that the cause of an older one has ended:
    /// users are invited, asked or given a course again only after the first time has ended.
    var isOfOneCause: Bool {
        switch self {
        case .invited, .friendRequested, .courseShared: true
        case .trackingStarted, .nudged, .resultFinal, .weatherTurned, .visitMade, .recordingInterrupted, .exportReady:
            false
        }
    }

    /// `true` if the notification is sent even during quiet hours that end at `end`, because it is useless later.
    func isUrgent(inQuietHoursUntil end: Instant) -> Bool {
        switch self {
        case .nudged, .trackingStarted: true
        case .invited(_, let meetsAt): meetsAt < end
        case .friendRequested, .resultFinal, .weatherTurned, .visitMade, .recordingInterrupted, .courseShared,
            .exportReady:
            false
        }
    }
}
