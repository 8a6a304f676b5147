/// An event of one user's notifications.
package enum NotificationEvent: Sendable {
    /// A notification arises. One that the inbox has already is ignored.
    case arose(UserNotification)
    /// A connection says what it shows.
    case focus(FocusTable.Connection, NotificationFocus)
    /// Frames let the focus of a connection last until this instant, unless more arrive; nil if it has ended.
    case lasts(FocusTable.Connection, until: Instant?)
    /// A connection ended.
    case disconnected(FocusTable.Connection)
    /// A block stands between the user and this one: what that one caused and the user was not told yet is withdrawn,
    /// and so are requests, which a block ends. Before anything else of that moment.
    case separated(from: UserID)
    /// The user has read these notifications; none stands for all.
    case read([NotificationID])
    /// The settings were changed.
    case settings(NotificationSettings)
    /// The user's time zone was changed.
    case clock(UserClock)
    /// The clock reached the instant of ``NotificationEffect/wake(at:)``, or the machine has just been restored.
    case wake
}

/// An effect that one user's notifications ask for, in this order. The changes of the store that one event causes
/// belong in one transaction.
package enum NotificationEffect: Hashable, Sendable {
    /// Insert this entry into the store, or replace the one of the same notification; before anybody is told.
    case store(NotificationEntry)
    /// Delete the entries of these notifications from the store.
    case remove([NotificationID])
    /// A decision was made; for metrics.
    case decided(NotificationKind, NotificationDecision)
    /// Tell all connections of the user. At most once for each notification.
    case tell(UserNotification)
    /// Tell the user's phone; always after ``tell(_:)``.
    case push(UserNotification)
    /// Wake the machine at this instant, which is sooner than any asked for that has not come.
    case wake(at: Instant)
}
