public import PromisedDomain

/// What became of a request to create a promise.
public enum PromiseCreation: Hashable, Sendable {
    /// It is there, with its participants and events.
    case created
    /// The same owner used the same key for the same content less than 24 h ago: this is the promise it made.
    case existing(PromiseID)
    /// The same owner used the same key for another content less than 24 h ago; nothing was written.
    case keyReused
    /// The owner has as many promises that are not over as one may have; nothing was written.
    case limitReached
    /// Somebody invited is no friend of the owner, who is the first such in order; nothing was written.
    case notFriend(UserID)
}
