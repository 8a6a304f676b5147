package import PromisedDomain

/// The inbox of each user with its settings.
package struct NotificationStore: StorePart {
    let driver: any StoreDriver

    /// All data for decisions about users' notifications; omits unknown users and those who are deleted or being
    /// deleted. Primary keys; at most 200 rows per user.
    package func notificationStates(
        of users: some Sequence<UserID> & Sendable
    ) async throws(StoreError) -> [UserID: NotificationState] {
        let users = Set(users)
        return try await read { db in
            var states: [UserID: NotificationState] = [:]
            for user in users { states[user] = try NotificationQuery.state(of: user, from: db) }
            return states
        }
    }

    /// Writes changes to several users' notifications, in one transaction. Skips users who are deleted or being
    /// deleted, and notifications whose cause no longer exists. Primary keys.
    ///
    /// - Returns: the skipped notifications, which must not be announced.
    @discardableResult
    package func apply(_ changes: [NotificationChanges]) async throws(StoreError) -> SkippedNotifications {
        try await write { db in
            var skipped = SkippedNotifications()
            for change in changes {
                guard try NotificationQuery.timeZone(of: change.userID, from: db) != nil else {
                    skipped.users.insert(change.userID)
                    continue
                }
                for id in change.removed { try NotificationRecord.delete(id, of: change.userID, in: db) }
                for entry in change.saved.values {
                    try NotificationRecord.save(entry, of: change.userID, in: db)
                    guard try NotificationQuery.hasLostCause(entry, of: change.userID, in: db) else { continue }
                    try NotificationRecord.delete(entry.notification.id, of: change.userID, in: db)
                    skipped.notifications.insert(entry.notification.id)
                }
                guard let (settings, phoneToldAt) = change.settings else { continue }
                let record = NotificationSettingRecord(settings: settings, phoneToldAt: phoneToldAt)
                try record.save(of: change.userID, in: db)
            }
            return skipped
        }
    }

    /// The users with held notifications, each with the hold that ends first; holds for writing come before others.
    /// Reads the whole partial index `notification_held`: for the start of the server.
    package func notificationHolds() async throws(StoreError) -> [UserID: NotificationHold] {
        try await readAtLength { db in
            var holds: [UserID: NotificationHold] = [:]
            let rows = try db.cursor(NotificationQuery.held)
            while let row = try rows.next() {
                let user: UserID = try row.value("user_id")
                let hold = NotificationHold(try row.raw("hold_reason"), until: try row.value("hold_until"))
                if holds[user] == nil || hold.reason == .writing { holds[user] = hold }
            }
            return holds
        }
    }

    /// `true` if a user has notifications whose cause no longer exists. Reads at most 200 rows, by the primary key.
    package func hasCauselessNotifications(_ user: UserID) async throws(StoreError) -> Bool {
        try await read { db in try db.row(NotificationQuery.causeless, [user]) != nil }
    }

    /// A page of a user's notifications, newest first, except those whose cause no longer exists. Primary key.
    ///
    /// - Parameters:
    ///   - cursor: the end of the previous page; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func notifications(
        of user: UserID,
        after cursor: NotificationCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<NotificationEntry, NotificationCursor> {
        try await read { db in
            let end = cursor ?? .beginning
            let entries = try db.rows(
                NotificationQuery.page,
                named: ["user": user, "at": end.at, "id": end.id, "limit": limit + 1]
            ).map(NotificationRecord.entry)
            return Page(fetched: entries, limit: limit, cursor: NotificationCursor.init)
        }
    }

    /// The names of the subjects of notifications, each as its user may see them now. Primary keys.
    package func names(
        of notifications: some Sequence<(user: UserID, notification: UserNotification)>
    ) async throws(StoreError) -> [NotificationID: NotificationNames] {
        let notifications = Array(notifications)
        guard !notifications.isEmpty else { return [:] }
        return try await read { db in
            var names: [NotificationID: NotificationNames] = [:]
            for (user, one) in notifications {
                names[one.id] = try NotificationSubjectQuery.names(of: one.topic, for: user, from: db)
            }
            return names
        }
    }

    /// How many unread notifications a user has, except those whose cause no longer exists. Index
    /// `notification_unread`.
    package func unreadNotifications(of user: UserID) async throws(StoreError) -> Int {
        try await read { db in try db.number(NotificationQuery.unread, named: ["user": user]) }
    }

    /// A user's notification settings; the defaults if the user has never changed them. Primary key.
    package func notificationSettings(of user: UserID) async throws(StoreError) -> NotificationSettings {
        try await read { db in try NotificationSettingRecord(of: user, from: db).settings }
    }

    /// Deletes notifications that arose at or before `instant`. Index `notification_by_time`.
    ///
    /// - Returns: how many were deleted.
    @discardableResult
    package func deleteNotifications(upTo instant: Instant) async throws(StoreError) -> Int {
        try await write { db in
            try db.run(NotificationQuery.deleteOld, [instant])
            return db.changesCount
        }
    }
}

enum NotificationQuery {
    // Without the hint, the planner uses the primary key and reads the rows of read notifications, too.
    static let unread = """
        SELECT count(*) FROM notification INDEXED BY notification_unread
        WHERE user_id = :user AND is_read = 0 AND \(NotificationCause.lasts)
        """

    static let causeless = """
        SELECT 1 FROM notification WHERE user_id = ? AND NOT (\(NotificationCause.lasts)) LIMIT 1
        """

    static let page = """
        SELECT * FROM notification WHERE user_id = :user AND (at, id) < (:at, :id) AND \(NotificationCause.lasts)
        ORDER BY at DESC, id DESC LIMIT :limit
        """

    static let held = """
        SELECT user_id, hold_until, hold_reason FROM notification WHERE hold_until IS NOT NULL
        ORDER BY user_id, hold_until
        """

    static let deleteOld = "DELETE FROM notification WHERE at <= ?"

    fileprivate static func state(of user: UserID, from db: SQLConnection) throws -> NotificationState? {
        guard let timeZone = try timeZone(of: user, from: db) else { return nil }
        let rows = try db.rows(
            "SELECT *, \(NotificationCause.lasts) AS lasts FROM notification WHERE user_id = ?",
            [user]
        )
        let (entries, causeless) = (
            try rows.filter { try $0.value("lasts") }, try rows.filter { try !$0.value("lasts") }
        )
        let record = try NotificationSettingRecord(of: user, from: db)
        return NotificationState(
            entries: try entries.map(NotificationRecord.entry),
            causeless: try causeless.map { try $0.value("id") },
            settings: record.settings,
            phoneToldAt: record.phoneToldAt,
            timeZone: timeZone
        )
    }

    /// `true` if a notification is stored and its cause no longer exists. Primary keys.
    fileprivate static func hasLostCause(
        _ entry: NotificationEntry,
        of user: UserID,
        in db: SQLConnection
    ) throws -> Bool {
        try db.row(
            "SELECT 1 FROM notification WHERE user_id = ? AND at = ? AND id = ? AND NOT (\(NotificationCause.lasts))",
            [user, entry.notification.at, entry.notification.id]
        ) != nil
    }

    /// A user's time zone; nil if they are unknown, deleted or being deleted. Primary key.
    fileprivate static func timeZone(of user: UserID, from db: SQLConnection) throws -> String? {
        try db.row(
            "SELECT time_zone FROM user WHERE id = ? AND deleted_at IS NULL AND deleting_at IS NULL",
            [user]
        )?.value("time_zone")
    }
}

package protocol HasNotifications: Sendable {
    var notifications: NotificationStore { get }
}
