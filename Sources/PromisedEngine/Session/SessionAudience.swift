internal import PromisedDomain

/// The connections that hear what a session tells.
struct SessionAudience: Sendable {
    /// Connections of participants, by user.
    private(set) var subscribers: [SubscriberID: UserID] = [:]
    /// Administrators' connections, which hear everything.
    private(set) var watchers: Set<SubscriberID> = []
    var viewers = ViewerAudience()
    /// Those of the subscribers who are accepted, until something changes that decides it.
    private var accepted: [SubscriberID]?

    var isEmpty: Bool { subscribers.isEmpty && watchers.isEmpty && viewers.isEmpty }

    mutating func subscribe(_ subscriber: SubscriberID, of userID: UserID) {
        subscribers[subscriber] = userID
        accepted = nil
    }

    mutating func watch(_ watcher: SubscriberID) { watchers.insert(watcher) }

    /// Ends what a connection subscribed to or watches.
    mutating func remove(_ subscriber: SubscriberID) {
        if subscribers.removeValue(forKey: subscriber) != nil { accepted = nil }
        watchers.remove(subscriber)
    }

    /// Lets go of subscribers who are not accepted any more.
    mutating func keep(_ isAccepted: (UserID) -> Bool) {
        subscribers = subscribers.filter { isAccepted($0.value) }
        accepted = nil
    }

    /// Memberships may be others from now on.
    mutating func membershipsChanged() { accepted = nil }

    /// The subscribers who are accepted.
    mutating func accepted(_ isAccepted: (UserID) -> Bool) -> [SubscriberID] {
        if let accepted { return accepted }
        let found = subscribers.compactMap { isAccepted($0.value) ? $0.key : nil }
        accepted = found
        return found
    }

    /// All connections of a user, accepted or not: a user who leaves is still told that they have left.
    func subscriptions(of userID: UserID) -> [SubscriberID] {
        subscribers.compactMap { $0.value == userID ? $0.key : nil }
    }
}

/// The connections that watch by the link of a promise.
struct ViewerAudience: Sendable {
    /// The hash of the code that they came by: all by the same, for another link ends the one before.
    var codeHash: [UInt8] = []
    var subscribers: Set<SubscriberID> = []
    /// Whom they were shown last.
    var shown: Set<UserID> = []

    var isEmpty: Bool { subscribers.isEmpty }
    /// In an order that is the same for all deliveries.
    var recipients: [SubscriberID] { subscribers.sorted { $0.rawValue < $1.rawValue } }
}
