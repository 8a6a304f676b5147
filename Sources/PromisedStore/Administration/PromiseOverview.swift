public import PromisedDomain

/// A promise in an administrator's list.
public struct CountedPromise: Hashable, Sendable {
    /// The promise.
    public var promise: Promise
    /// How many are invited or accepted, the owner included.
    public var participantCount: Int

    /// Where a page that ends with it ended.
    public var cursor: PromiseCursor { PromiseCursor(meetsAt: promise.meetsAt, promiseID: promise.id) }
}

/// How much there is.
public struct StoreCounts: Hashable, Sendable {
    /// Accounts that are not deleted.
    public var users: Int
    /// Promises by status; each status is there.
    public var promises: [PromiseStatus: Int]
}
