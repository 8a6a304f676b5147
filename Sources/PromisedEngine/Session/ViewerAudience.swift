internal import PromisedDomain

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
