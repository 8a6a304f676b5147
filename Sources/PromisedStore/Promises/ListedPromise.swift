public import PromisedDomain

/// A promise in a list, as the caller sees it.
public struct ListedPromise: Hashable, Sendable {
    /// The promise.
    public var promise: Promise
    /// The caller's own part.
    public var participant: Participant
    /// How many are invited or accepted, the owner included.
    public var participantCount: Int

    /// The cursor behind this item.
    public var cursor: PromiseCursor { PromiseCursor(meetsAt: promise.meetsAt, promiseID: promise.id) }
}
