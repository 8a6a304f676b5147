/// An event of one user's notifications.
package enum NotificationEvent: Sendable {
    /// A notification arises. Ignored if the inbox already contains it.
    case raised(UserNotification)
    /// A connection reports its focus.
    case focus(FocusTable.Connection, NotificationFocus)
    /// Frames extend the focus of a connection to this instant, unless more arrive; nil if it has ended.
    case lasts(FocusTable.Connection, until: Instant?)
    /// A connection ended.
    case disconnected(FocusTable.Connection)
    /// One of the two users has blocked the other: withdraws pending notifications that the other caused, and requests,
    /// which a block ends. Precedes all other events of that moment.
    case blockCreated(with: UserID)
    /// The user has read these notifications; empty for all.
    case read([NotificationID])
    /// The settings were changed.
    case settings(NotificationSettings)
    /// The user's time zone was changed.
    case clock(UserClock)
    /// The clock reached the instant of ``NotificationEffect/wake(at:)``, or the machine has just been restored.
    case wake
}

/// An effect of one user's notifications, performed in this order. The changes of the store that one event causes
/// belong in one transaction.
package enum NotificationEffect: Hashable, Sendable {
    /// Insert this entry into the store, or replace the one of the same notification; before the user is notified.
    case store(NotificationEntry)
    /// Delete the entries of these notifications from the store.
    case remove([NotificationID])
    /// A decision was made; for metrics.
    case decided(NotificationKind, NotificationDecision)
    /// Notify all connections of the user. At most once for each notification.
    case tell(UserNotification)
    /// Notify the user's phone; always after ``tell(_:)``.
    case push(UserNotification)
    /// Wake the machine at this instant, which is earlier than any pending wake.
    case wake(at: Instant)
}
