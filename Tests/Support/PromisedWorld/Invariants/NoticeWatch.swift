internal import PromisedDomain
internal import PromisedProtocol

/// Checks the notifications sent to users: each is stored before, sent once, and concerns the recipient. Their lists
/// contain exactly the stored ones.
struct NoticeWatch: Sendable {
    /// All notifications that were ever stored.
    private var stored: Set<NotificationID> = []
    private var toldAt: [NotificationID: Instant] = [:]

    /// A request for a list.
    private struct Reading: Sendable {
        let userID: UserID
        /// Stored at some moment since, and at all of them.
        var may: Set<NotificationID> = []
        var must: Set<NotificationID>

        mutating func look(_ committed: CommittedRows) {
            let mine = Set(committed.notifications.filter { $0.value == userID }.keys)
            may.formUnion(mine)
            must.formIntersection(mine)
        }
    }

    private var readings: [RequestKey: Reading] = [:]

    mutating func noteCommit(_ committed: CommittedRows) {
        stored.formUnion(committed.notifications.keys)
        for key in readings.keys { readings[key]?.look(committed) }
    }

    /// Records a user's request for their list.
    mutating func noteArrival(_ key: RequestKey, of userID: UserID, in committed: CommittedRows) {
        var reading = Reading(userID: userID, must: Set(committed.notifications.keys))
        reading.look(committed)
        readings[key] = reading
    }

    /// - Parameter ids: the first page of a user's list.
    /// - Throws: a list that lacks a notification, or contains one of another user.
    mutating func noteAnswer(
        _ ids: [NotificationID],
        _ key: RequestKey,
        isWhole: Bool = true
    ) throws(Violation) {
        guard let reading = readings.removeValue(forKey: key) else { return }
        guard reading.may.isSuperset(of: ids) else {
            throw Violation(.privacy, "a list of notifications holds another's")
        }
        guard !isWhole || reading.must.isSubset(of: ids) else {
            throw Violation(.kept, "a list of notifications lacks one")
        }
    }

    /// Checks a notification sent to a connection of a user; all connections of a user receive it at one instant.
    ///
    /// - Throws: one that is not stored, that was sent before, or that concerns a promise of others.
    mutating func check(
        _ notification: WireNotification,
        to userID: UserID,
        in committed: CommittedRows,
        at now: Instant
    ) throws(Violation) {
        let (kind, id): (WireNotificationKind.Value, NotificationID) = (
            notification.kind, notification.notificationID.id()
        )
        guard stored.contains(id) else { throw Violation(.acknowledged, "\(kind) is told and not stored") }
        guard toldAt[id] ?? now == now else { throw Violation(.once, "\(kind) is told again") }
        toldAt[id] = now
        guard !notification.promiseID.isEmpty else { return }
        guard committed.parts[notification.promiseID.id()]?[userID] != nil else {
            throw Violation(.privacy, "\(kind) is told to \(userID.low & 0xFF), who never had a part")
        }
    }
}
