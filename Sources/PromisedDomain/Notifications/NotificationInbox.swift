/// The stored notifications of one user: the newest ``most``, for ``lifetime`` each.
///
/// Held notifications are included and count as unread: a user who opens the inbox sees them.
package struct NotificationInbox: Hashable, Sendable {
    /// The most entries.
    package static let most = 200
    /// How long an entry is stored after it arose.
    package static let lifetime = TimeSpan.days(30)

    /// Newest first; at the same instant, the larger id first.
    package private(set) var entries: [NotificationEntry] = []

    /// An inbox with stored entries, in any order.
    package init(_ entries: some Sequence<NotificationEntry> = []) {
        self.entries = entries.sorted { NotificationInbox.isNewer($0.notification, than: $1.notification) }
    }

    /// The number of entries that the user has not read.
    package var unread: Int { entries.count { !$0.isRead } }

    /// The held entries, oldest first.
    package var held: [NotificationEntry] { entries.filter { $0.hold != nil }.reversed() }

    /// The entry of a notification; nil if it is not stored.
    package subscript(id: NotificationID) -> NotificationEntry? { entries.first { $0.notification.id == id } }

    /// The held entry of the same kind and subject.
    func held(like topic: NotificationTopic) -> NotificationEntry? {
        entries.first { entry in
            entry.hold != nil && entry.notification.topic.kind == topic.kind
                && entry.notification.topic.subject == topic.subject
        }
    }

    /// The notifications whose cause has ended because of a new one, see ``NotificationTopic/isOfOneCause``.
    func superseded(by notification: UserNotification) -> [NotificationID] {
        like(notification.topic).filter { NotificationInbox.isNewer(notification, than: $0) }.map(\.id)
    }

    /// The notifications of the same kind and subject, if only the newest of them has a cause.
    private func like(_ topic: NotificationTopic) -> [UserNotification] {
        guard topic.isOfOneCause else { return [] }
        return entries.map(\.notification).filter { $0.topic.kind == topic.kind && $0.topic.subject == topic.subject }
    }

    /// `false` for a notification that the inbox contains or has contained: one that is older than ``lifetime``, than
    /// ``most`` others, or than a notification of its kind and subject that is held or is the only one with a cause.
    func accepts(_ notification: UserNotification, at now: Instant) -> Bool {
        guard self[notification.id] == nil, notification.at + NotificationInbox.lifetime > now else { return false }
        if let held = held(like: notification.topic), !NotificationInbox.isNewer(notification, than: held.notification)
        {
            return false
        }
        guard like(notification.topic).allSatisfy({ NotificationInbox.isNewer(notification, than: $0) }) else {
            return false
        }
        guard entries.count >= NotificationInbox.most, let oldest = entries.last else { return true }
        return NotificationInbox.isNewer(notification, than: oldest.notification)
    }

    /// Adds an entry, or replaces the one of the same notification.
    mutating func put(_ entry: NotificationEntry) {
        let isKnown = entries.firstIndex { $0.notification.id == entry.notification.id }
        if let isKnown {
            entries[isKnown] = entry
            return
        }
        let place = entries.firstIndex { NotificationInbox.isNewer(entry.notification, than: $0.notification) }
        entries.insert(entry, at: place ?? entries.endIndex)
    }

    /// Removes a notification.
    mutating func remove(_ id: NotificationID) { entries.removeAll { $0.notification.id == id } }

    /// Removes the entries beyond the limit and those that have expired at `now`.
    ///
    /// - Returns: the ids of the removed entries; a held one only if ``most`` newer ones have arrived since.
    mutating func trim(at now: Instant) -> [NotificationID] {
        let end = entries.prefix(NotificationInbox.most).firstIndex {
            $0.notification.at + NotificationInbox.lifetime <= now
        }
        let removed = entries[(end ?? min(entries.count, NotificationInbox.most))...].map(\.notification.id)
        entries.removeLast(removed.count)
        return removed
    }

    private static func isNewer(_ one: UserNotification, than other: UserNotification) -> Bool {
        (one.at, one.id) > (other.at, other.id)
    }
}
