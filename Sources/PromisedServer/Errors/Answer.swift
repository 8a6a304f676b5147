internal import PromisedProtocol

/// What becomes of a request that was not refused.
enum Answer<Reply: Sendable>: Sendable {
    /// This is to be sent.
    case reply(Reply)
    /// The reply was sent already, so that nothing overtakes it.
    case sent
}

extension Answer<WireContent> {
    /// It was done, and there is nothing to tell of it.
    static var done: Answer { .reply(.done(WireDone())) }
}
