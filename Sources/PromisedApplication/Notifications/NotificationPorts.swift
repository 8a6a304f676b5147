package import PromisedDomain
package import PromisedEngine

/// The way to users' phones.
package protocol PhonePush: Sendable {
    /// Tells a user's phone of a notification that is stored and counts among those of the hour; never waits.
    func push(_ notification: UserNotification, to userID: UserID)
}

/// Pushes nothing: the notifications are in the user's list and in the metrics.
package struct NoPhonePush: PhonePush {
    /// No way to any phone.
    package init() {}

    package func push(_ notification: UserNotification, to userID: UserID) {}
}

/// How long the focuses of connections last. Implemented by the owner of the connections, who keeps a `FocusLease` in
/// each; asked only when something is decided about the user, so that a frame costs nothing but the lease.
package protocol FocusLeases: Sendable {
    /// When the focus of a connection ends unless a frame arrives before; nil if it has ended with its connection, or
    /// after too long without a frame. Never waits.
    func focusEnd(of connection: SubscriberID) -> Instant?
}
