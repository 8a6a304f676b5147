package import PromisedDomain
package import PromisedEngine

/// The interface to users' phones.
package protocol PhonePush: Sendable {
    /// Sends a stored notification, which counts towards the hourly limit, to a user's phone; returns at once.
    func push(_ notification: UserNotification, to userID: UserID)
}

/// Pushes nothing: notifications appear only in the user's list and in the metrics.
package struct NoPhonePush: PhonePush {
    package init() {}

    package func push(_ notification: UserNotification, to userID: UserID) {}
}

/// How long the focuses of connections last. Implemented by the owner of the connections, which stores a `FocusLease`
/// in each. Queried only when a decision about the user is made, so a frame costs only an update of its lease.
package protocol FocusLeases: Sendable {
    /// When the focus of a connection ends unless a frame arrives first; nil if it has ended with its connection, or
    /// after too long without a frame. Returns at once.
    func focusEnd(of connection: SubscriberID) -> Instant?
}
