package import PromisedDomain

/// All data for decisions about a user's notifications, except the focus of their connections.
package struct NotificationState: Sendable {
    /// The stored notifications, in no particular order.
    package var entries: [NotificationEntry]
    /// Notifications whose cause no longer exists, to be deleted.
    package var causeless: [NotificationID]
    package var settings: NotificationSettings
    /// The last times at which the phone was notified.
    package var phoneToldAt: [Instant]
    /// IANA, possibly empty.
    package var timeZone: String
}

/// Changes to one user's notifications, applied together.
package struct NotificationChanges: Sendable {
    package let userID: UserID
    /// The entries to insert or replace.
    package private(set) var saved: [NotificationID: NotificationEntry] = [:]
    /// The notifications to delete.
    package private(set) var removed: Set<NotificationID> = []
    /// The settings, with the times at which the phone was notified; nil if neither has changed.
    package var settings: (NotificationSettings, phoneToldAt: [Instant])?

    package init(of userID: UserID) { self.userID = userID }

    /// `true` if there are no changes.
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

/// The notifications that were not stored.
package struct SkippedNotifications: Sendable {
    /// Users who are deleted or being deleted; none of their notifications are stored.
    package var users: Set<UserID> = []
    /// Notifications whose cause no longer exists.
    package var notifications: Set<NotificationID> = []

    package init() {}
}
