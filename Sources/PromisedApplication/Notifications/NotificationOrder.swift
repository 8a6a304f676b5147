internal import PromisedDomain

/// A queued event, with the caller that waits for its end.
struct NotificationOrder: Sendable {
    enum Content: Sendable {
        /// An event of the rules.
        case event(NotificationEvent)
        /// The user edits their settings.
        case edit(NotificationSettingsEdit)
        /// The user's time zone in the store has changed.
        case timeZone
        /// Delete notifications whose cause no longer exists.
        case dropCauseless
    }

    let userID: UserID
    let content: Content
    /// Resumed after the event, once its changes are stored; nil if no caller waits.
    var waiter: CheckedContinuation<Result<Void, any Error>, Never>?

    /// `true` if it changes only the focus: for a user without held notifications it has no other effect.
    var isAboutFocus: Bool {
        switch content {
        case .event(.focus), .event(.disconnected): true
        case .event, .edit, .timeZone, .dropCauseless: false
        }
    }

    /// The other user, if the order is a block.
    var newlyBlocked: UserID? {
        if case .event(.blockCreated(let other)) = content { other } else { nil }
    }

    /// The other user who caused the notification, if the order creates one.
    var cause: UserID? {
        if case .event(.raised(let notification)) = content { notification.userID } else { nil }
    }
}

/// An edit of a user's settings.
struct NotificationSettingsEdit: Sendable {
    /// The kinds to switch off.
    var off: Set<NotificationKind>
    /// The beginning of the quiet hours, such as `22:30`; empty for none, nil to keep it.
    var quietFrom: String?
    /// The end of the quiet hours, in the same form.
    var quietTo: String?
}
