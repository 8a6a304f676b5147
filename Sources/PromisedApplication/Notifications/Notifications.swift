package import PromisedDomain
package import PromisedEngine
package import PromisedStore

/// Users' notifications and what their connections show: the list, the settings, and the focus.
package struct Notifications: Sendable {
    private let store: (accounts: AccountStore, notifications: NotificationStore)
    private let queue: NotificationQueue

    /// The notifications of a store; `queue` holds changes until their turn.
    package init(store: some HasAccounts & HasNotifications, queue: NotificationQueue) {
        self.store = (store.accounts, store.notifications)
        self.queue = queue
    }

    /// A notification with the card of the user who caused it, and the names of its subject.
    package struct Listed: Hashable, Sendable {
        package let entry: NotificationEntry
        /// The other user; nil if no other user caused it.
        package let other: UserCard?
        package let names: NotificationNames
    }

    /// A page of a user's notifications, newest first.
    package typealias List = Page<Listed, NotificationCursor>

    /// Sets the focus of a connection, whose lease the caller has begun. Throws `unavailable`, `invalidToken` (the
    /// account is no longer usable), and the store's errors.
    package func setFocus(_ focus: NotificationFocus, of connection: SubscriberID, by userID: UserID) async throws {
        let connection = FocusTable.Connection(number: connection.rawValue)
        try await queue.perform(.event(.focus(connection, focus)), of: userID)
    }

    /// Reports the end of a connection that has set a focus; returns at once.
    package func connectionEnded(_ connection: SubscriberID, of userID: UserID) {
        queue.connectionEnded(connection, of: userID)
    }

    /// A page of a user's notifications, including held ones, and the number of unread ones. Deletes those whose cause
    /// no longer exists: if it recurs, it is a new cause.
    ///
    /// - Parameter limit: the size of the page, 1 or more.
    package func list(
        of userID: UserID,
        after cursor: NotificationCursor?,
        limit: Int
    ) async throws -> (page: List, unread: Int) {
        if try await store.notifications.hasCauselessNotifications(userID) {
            try await queue.perform(.dropCauseless, of: userID)
        }
        let entries = try await store.notifications.notifications(of: userID, after: cursor, limit: limit)
        let cards = try await store.accounts.cards(of: entries.items.compactMap(\.notification.userID))
        let names = try await store.notifications.names(of: entries.items.map { (userID, $0.notification) })
        let items = entries.items.map { entry in
            Listed(
                entry: entry,
                other: entry.notification.userID.flatMap { cards[$0] },
                names: names[entry.notification.id] ?? NotificationNames()
            )
        }
        return (Page(items: items, next: entries.next), try await store.notifications.unreadNotifications(of: userID))
    }

    /// Marks a user's notifications as read: those in `ids`, ignoring unknown ids, or all if `ids` is empty. Throws as
    /// ``setFocus(_:of:by:)``.
    package func read(_ ids: [NotificationID], by userID: UserID) async throws {
        try await queue.perform(.event(.read(ids)), of: userID)
    }

    package func settings(of userID: UserID) async throws -> NotificationSettings {
        try await store.notifications.notificationSettings(of: userID)
    }

    /// Changes a user's settings.
    ///
    /// - Parameters:
    ///   - off: the kinds that are off from now on.
    ///   - quietFrom: the beginning of the quiet hours, such as `22:30`; empty for none, nil to keep it.
    ///   - quietTo: the end of the quiet hours, in the same form.
    /// - Returns: the new settings.
    /// - Throws: `invalid` with the field, and as ``setFocus(_:of:by:)``.
    package func updateSettings(
        of userID: UserID,
        off: Set<NotificationKind>,
        quietFrom: String?,
        quietTo: String?
    ) async throws -> NotificationSettings {
        let edit = NotificationSettingsEdit(off: off, quietFrom: quietFrom, quietTo: quietTo)
        try await queue.perform(.edit(edit), of: userID)
        return try await settings(of: userID)
    }
}
