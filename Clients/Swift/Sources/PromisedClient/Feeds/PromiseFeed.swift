public import PromisedProtocol

/// One promise's events, whatever becomes of the connection: no durable event is missed, doubled or reordered.
///
/// For one reader. It ends when the promise is followed no more or again, and with the client; it throws
/// ``ClientError``: `refused` when the server refuses for good (`promise.not-found`, `promise.not-accepted`),
/// `readTooSlowly` when ``limit`` notices wait, `unexpectedReply` from a server that does not keep to the protocol. A
/// reader that stops or is cancelled ends the subscription.
public struct PromiseFeed: AsyncSequence, Sendable {
    /// How many notices may wait to be read.
    public static let limit = 4_096

    let stream: AsyncThrowingStream<FeedNotice, any Error>

    /// Reads on.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncThrowingStream<FeedNotice, any Error>.Iterator

        /// The next notice; nil after the last.
        public mutating func next() async throws(ClientError) -> FeedNotice? { try await next(isolation: nil) }

        /// The next notice; nil after the last.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ClientError) -> FeedNotice? {
            do {
                return try await base.next(isolation: actor)
            } catch let error as ClientError {
                throw error
            } catch {
                preconditionFailure("A feed ends with no other errors.")
            }
        }
    }

    /// Reads from the first notice that was not read yet.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }
}

/// What a feed tells, with the mark to continue from once it is dealt with.
public enum FeedNotice: Hashable, Sendable {
    /// The promise as it is now: it takes the place of everything known of it. Comes first, and again when too much was
    /// missed to be told one by one.
    case snapshot(WirePromise, FeedMark)
    /// An event. The durable ones have the `seq` after the one before, or after the snapshot's mark; passing ones have
    /// none and leave the mark as it is.
    case event(WireEvent, FeedMark)

    /// The mark to continue from.
    public var mark: FeedMark {
        switch self {
        case .snapshot(_, let mark), .event(_, let mark): mark
        }
    }
}

/// How far a feed has come: an unbroken numbering of a promise's durable events, and the last one told.
public struct FeedMark: Hashable, Sendable {
    /// Names the numbering; never empty.
    public var epoch: String
    /// The last durable event told; 0 when none was.
    public var seq: UInt32

    /// A mark.
    public init(epoch: String, seq: UInt32) {
        self.epoch = epoch
        self.seq = seq
    }
}
