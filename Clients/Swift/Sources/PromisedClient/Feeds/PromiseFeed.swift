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
