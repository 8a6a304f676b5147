internal import PromisedDomain

/// The rows of `notification` and `notification_setting`.
enum NotificationRecord {
    static func entry(_ row: SQLRow) throws -> NotificationEntry {
        let notification = UserNotification(
            id: try row.value("id"),
            at: try row.value("at"),
            topic: try topic(row),
            userID: try row.value("other_id")
        )
        var entry = NotificationEntry(notification, isRead: try row.value("is_read"))
        if let reason: NotificationHold.Reason = try row.optionalRaw("hold_reason") {
            entry.hold = NotificationHold(reason, until: try row.value("hold_until"))
        }
        return entry
    }

    /// Inserts an entry or replaces the one with the same id. Primary key.
    static func save(_ entry: NotificationEntry, of user: UserID, in db: SQLConnection) throws {
        let notification = entry.notification
        let topic = StoredTopic(notification.topic)
        try db.run(
            """
            INSERT OR REPLACE INTO notification
                (user_id, at, id, kind, subject, meets_at, other_id, is_read, hold_reason, hold_until)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                user, notification.at, notification.id, notification.topic.kind.rawValue, topic.subject,
                topic.meetsAt, notification.userID, entry.isRead, entry.hold?.reason.rawValue, entry.hold?.until,
            ]
        )
    }

    /// Deletes a notification of a user. Reads at most 200 rows. Primary key.
    static func delete(_ id: NotificationID, of user: UserID, in db: SQLConnection) throws {
        try db.run("DELETE FROM notification WHERE user_id = ? AND id = ?", [user, id])
    }

    private static func topic(_ row: SQLRow) throws -> NotificationTopic {
        let kind: NotificationKind = try row.raw("kind")
        switch kind {
        case .invited: return .invited(try row.value("subject"), meetsAt: try row.value("meets_at"))
        case .trackingStarted: return .trackingStarted(try row.value("subject"))
        case .nudged: return .nudged(try row.value("subject"))
        case .friendRequested: return .friendRequested(try row.value("subject"))
        case .resultFinal: return .resultFinal(try row.value("subject"))
        case .weatherTurned: return .weatherTurned(try row.value("subject"))
        case .visitMade: return .visitMade(try row.value("subject"))
        case .recordingInterrupted: return .recordingInterrupted(try row.value("subject"))
        case .courseShared: return .courseShared(try row.value("subject"))
        case .exportReady: return .exportReady
        }
    }
}

/// The columns of a topic besides its kind.
private struct StoredTopic {
    var subject: (any StoredValue)?
    var meetsAt: Instant?

    init(_ topic: NotificationTopic) {
        if case .invited(_, let instant) = topic { meetsAt = instant }
        switch topic.subject {
        case .promise(let id): subject = id
        case .user(let id): subject = id
        case .visit(let id): subject = id
        case .recording(let id): subject = id
        case .course(let id): subject = id
        case .account: break
        }
    }
}

/// The row of a user's settings; the default settings if there is none.
struct NotificationSettingRecord {
    let settings: NotificationSettings
    /// The last times at which the phone was notified.
    let phoneToldAt: [Instant]

    init(settings: NotificationSettings = NotificationSettings(), phoneToldAt: [Instant] = []) {
        self.settings = settings
        self.phoneToldAt = phoneToldAt
    }

    /// The settings of a user. Primary key.
    init(of user: UserID, from db: SQLConnection) throws {
        guard let row = try db.row("SELECT * FROM notification_setting WHERE user_id = ?", [user]) else {
            self.init()
            return
        }
        let off: [String] = try StoredJSON.decode(row.value("off"))
        let settings = NotificationSettings(
            off: try Set(off.map(NotificationSettingRecord.kind)),
            quietHours: try NotificationSettingRecord.quietHours(row)
        )
        self.init(settings: settings, phoneToldAt: try StoredJSON.decode(row.value("phone_told")))
    }

    /// Writes the settings of a user. Primary key.
    func save(of user: UserID, in db: SQLConnection) throws {
        try db.run(
            """
            INSERT OR REPLACE INTO notification_setting (user_id, off, quiet_from, quiet_to, phone_told)
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                user, try StoredJSON.encode(settings.off.map(\.rawValue).sorted()), settings.quietHours?.from.text,
                settings.quietHours?.to.text, try StoredJSON.encode(phoneToldAt),
            ]
        )
    }

    private static func kind(_ name: String) throws -> NotificationKind {
        guard let kind = NotificationKind(rawValue: name) else {
            throw StoreError.damaged("An unknown kind of notification in the column off")
        }
        return kind
    }

    private static func quietHours(_ row: SQLRow) throws -> QuietHours? {
        guard let from: String = try row.value("quiet_from"), let to: String = try row.value("quiet_to") else {
            return nil
        }
        guard let from = ClockTime(from), let to = ClockTime(to), let hours = QuietHours(from: from, to: to) else {
            throw StoreError.damaged("Quiet hours that are no two times of day")
        }
        return hours
    }
}
