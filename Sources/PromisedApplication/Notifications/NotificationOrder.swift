internal import PromisedDomain

/// An event that waits for its turn, and the caller who waits for its end.
struct NotificationOrder: Sendable {
    /// The event or edit of an order.
    enum Content: Sendable {
        /// An event of the rules.
        case event(NotificationEvent)
        /// The user edits their settings.
        case edit(NotificationSettingsEdit)
        /// The user's time zone in the store is another one.
        case timeZone
        /// Notifications whose cause is gone are to be deleted.
        case dropCauseless
    }

    /// The user whose notifications it concerns.
    let userID: UserID
    /// The event or edit.
    let content: Content
    /// Resumed after the event, once its changes are stored; nil if nobody waits.
    var waiter: CheckedContinuation<Result<Void, any Error>, Never>?

    /// `true` if it changes only the focus: for a user without held notifications nothing else follows from it.
    var isAboutFocus: Bool {
        switch content {
        case .event(.focus), .event(.disconnected): true
        case .event, .edit, .timeZone, .dropCauseless: false
        }
    }

    /// The other user of a block, if it is one.
    var separatedFrom: UserID? {
        if case .event(.separated(let other)) = content { other } else { nil }
    }

    /// The other user who caused the notification that arises, if it is one.
    var cause: UserID? {
        if case .event(.arose(let notification)) = content { notification.userID } else { nil }
    }
}

/// An edit of a user's settings.
struct NotificationSettingsEdit: Sendable {
    /// The kinds that are off from now on.
    var off: Set<NotificationKind>
    /// The beginning of the quiet hours, such as `22:30`; empty for none, nil to keep it.
    var quietFrom: String?
    /// The end of the quiet hours, in the same form.
    var quietTo: String?
}
