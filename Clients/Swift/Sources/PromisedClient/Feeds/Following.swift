internal import PromisedProtocol

/// What the client knows of one promise that is followed.
struct Following: Sendable {
    /// Tells this from an earlier feed of the same promise.
    let number: Int
    var machine: FeedMachine
    let continuation: AsyncThrowingStream<FeedNotice, any Error>.Continuation
}

/// One attempt to subscribe.
struct Subscription: Sendable {
    let promiseID: String
    /// Of the ``Following``.
    let number: Int
    /// The connection it is for.
    let connection: Int
    let request: WireSubscribe
}
