package import PromisedDomain

/// All that decides about the notifications of a user, but the focus of their connections.
package struct NotificationState: Sendable {
    /// The notifications that are kept, in no order.
    package var entries: [NotificationEntry]
    /// Those whose cause is gone, which are to be deleted.
    package var causeless: [NotificationID]
    /// The user's settings.
    package var settings: NotificationSettings
    /// When the phone was told last.
    package var phoneToldAt: [Instant]
    /// The user's time zone (IANA), possibly empty.
    package var timeZone: String
}

/// Changes of one user's notifications that belong together.
package struct NotificationChanges: Sendable {
    /// The user.
    package let userID: UserID
    /// The entries to insert, or to replace.
    package private(set) var saved: [NotificationID: NotificationEntry] = [:]
    /// The notifications to delete.
    package private(set) var removed: Set<NotificationID> = []
    /// The settings, with the instants at which the phone was told; nil if neither has changed.
    package var settings: (NotificationSettings, phoneToldAt: [Instant])?

    /// No changes.
    package init(of userID: UserID) { self.userID = userID }

    /// `true` if there is nothing to write.
    package var isEmpty: Bool { saved.isEmpty && removed.isEmpty && settings == nil }

    /// Adds the insertion or replacement of an entry.
    package mutating func save(_ entry: NotificationEntry) {
        saved[entry.notification.id] = entry
        removed.remove(entry.notification.id)
    }

    /// Adds a deletion.
    package mutating func remove(_ id: NotificationID) {
        saved[id] = nil
        removed.insert(id)
    }
}

/// The changes of notifications that were not stored.
package struct SkippedNotifications: Sendable {
    /// Users who are deleted or being deleted; nothing of theirs is stored.
    package var users: Set<UserID> = []
    /// Notifications whose cause is gone.
    package var notifications: Set<NotificationID> = []

    /// Nothing.
    package init() {}
}
