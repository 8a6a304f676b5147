public import PromisedProtocol

/// One promise's events across connections: each durable event exactly once and in order.
///
/// For one reader. It ends with ``PromisedClient/unfollow(_:)``, with another feed of the promise, and with the client;
/// it throws ``ClientError``: `refused` if the server refuses for good (`promise.not-found`, `promise.not-accepted`),
/// `readTooSlowly` if ``limit`` notices wait, `unexpectedReply` if the server violates the protocol. A reader that
/// stops or is cancelled ends the subscription.
public struct PromiseFeed: AsyncSequence, Sendable {
    /// How many notices may wait to be read.
    public static let limit = 4_096

    let stream: AsyncThrowingStream<FeedNotice, any Error>

    /// Reads the notices.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncThrowingStream<FeedNotice, any Error>.Iterator

        /// The next notice; nil after the last.
        public mutating func next() async throws(ClientError) -> FeedNotice? { try await next(isolation: nil) }

        /// The next notice; nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> FeedNotice? {
            do {
                return try await base.next(isolation: actor)
            } catch let error as ClientError {
                throw error
            } catch {
                preconditionFailure("A feed ends with no other errors.")
            }
        }
    }

    /// Reads from the first unread notice.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }
}

/// A notice of a feed, with the mark to continue from after it is processed.
public enum FeedNotice: Hashable, Sendable {
    /// The promise as it is now, which replaces all earlier state. Arrives first, and again if too many events were
    /// missed for single delivery.
    case snapshot(WirePromise, FeedMark)
    /// An event. A durable one has the `seq` after the previous one, or after the snapshot's mark; a transient one has
    /// none and leaves the mark unchanged.
    case event(WireEvent, FeedMark)

    /// The mark to continue from.
    public var mark: FeedMark {
        switch self {
        case .snapshot(_, let mark), .event(_, let mark): mark
        }
    }
}

/// The progress of a feed: a gapless numbering of a promise's durable events, and the last one delivered.
public struct FeedMark: Hashable, Sendable {
    /// Identifies the numbering; never empty.
    public var epoch: String
    /// The last durable event delivered; 0 if none.
    public var seq: UInt32

    /// A mark.
    public init(epoch: String, seq: UInt32) {
        self.epoch = epoch
        self.seq = seq
    }
}
