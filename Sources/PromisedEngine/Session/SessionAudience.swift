internal import PromisedDomain

/// The connections that receive a session's announcements.
struct SessionAudience: Sendable {
    /// Connections of participants, by user.
    private(set) var subscribers: [SubscriberID: UserID] = [:]
    /// Administrators' connections, which receive everything.
    private(set) var watchers: Set<SubscriberID> = []
    var viewers = ViewerAudience()
    /// The accepted subscribers, until a membership changes.
    private var accepted: [SubscriberID]?

    var isEmpty: Bool { subscribers.isEmpty && watchers.isEmpty && viewers.isEmpty }

    mutating func subscribe(_ subscriber: SubscriberID, of userID: UserID) {
        subscribers[subscriber] = userID
        accepted = nil
    }

    mutating func watch(_ watcher: SubscriberID) { watchers.insert(watcher) }

    /// Ends a connection's subscription or watch.
    mutating func remove(_ subscriber: SubscriberID) {
        if subscribers.removeValue(forKey: subscriber) != nil { accepted = nil }
        watchers.remove(subscriber)
    }

    /// Ends all subscriptions of a user.
    mutating func removeAll(of userID: UserID) {
        subscribers = subscribers.filter { $0.value != userID }
        accepted = nil
    }

    /// Removes subscribers who are no longer accepted.
    mutating func keep(_ isAccepted: (UserID) -> Bool) {
        subscribers = subscribers.filter { isAccepted($0.value) }
        accepted = nil
    }

    mutating func membershipsChanged() { accepted = nil }

    mutating func accepted(_ isAccepted: (UserID) -> Bool) -> [SubscriberID] {
        if let accepted { return accepted }
        let found = subscribers.compactMap { isAccepted($0.value) ? $0.key : nil }
        accepted = found
        return found
    }

    /// All connections of a user, accepted or not: a user who leaves still receives the event.
    func subscriptions(of userID: UserID) -> [SubscriberID] {
        subscribers.compactMap { $0.value == userID ? $0.key : nil }
    }
}

/// The connections that watch by the link of a promise.
struct ViewerAudience: Sendable {
    /// The hash of the viewers' code: the same for all, because a new link replaces the previous one.
    var codeHash: [UInt8] = []
    var subscribers: Set<SubscriberID> = []
    /// The participants last shown to the viewers.
    var shown: Set<UserID> = []

    var isEmpty: Bool { subscribers.isEmpty }
    /// The viewers' connections, in the same order for all deliveries.
    var recipients: [SubscriberID] { subscribers.sorted { $0.rawValue < $1.rawValue } }
}
