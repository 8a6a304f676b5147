import PromisedConcurrency
import PromisedProtocol
import Testing

@testable import PromisedClient

@Suite(.timeLimit(.minutes(1))) struct FeedTableTests {
    private func follow(_ promiseID: String, in table: inout FeedTable) -> FeedReader {
        FeedReader(table.follow(promiseID, from: nil) { _ in })
    }

    /// Subscribes to all followed promises, at 0 s on connection 1.
    private func subscribe(_ table: inout FeedTable) -> [Subscription] { table.dueSubscriptions(at: .zero, on: 1) }

    private func snapshot(_ seq: UInt32) -> WireSubscribed {
        var reply = WireSubscribed(epoch: "e", seq: seq)
        reply.snapshot.promiseID = "p"
        return reply
    }

    @Test func `subscribes to promises once, in the order of their ids`() {
        var table = FeedTable()
        for id in ["b", "c", "a"] { _ = follow(id, in: &table) }
        #expect(table.nextSubscription == .zero)
        let due = table.dueSubscriptions(at: .zero, on: 7)
        #expect(due.map(\.promiseID) == ["a", "b", "c"])
        #expect(due.map(\.request.promiseID) == ["a", "b", "c"])
        #expect(due.allSatisfy { $0.connection == 7 })
        #expect(subscribe(&table).isEmpty)
        #expect(table.nextSubscription == nil)
    }

    @Test func `the reply and the later events reach the reader`() async throws {
        var table = FeedTable()
        var reader = follow("p", in: &table)
        let subscription = try #require(subscribe(&table).first)
        #expect(table.answered(snapshot(4), for: subscription, at: .zero) == .delivered)
        #expect(table.heard(WireEvent("p", seq: 5), at: .zero) == .delivered)
        #expect(table.heard(WireEvent("q", seq: 1), at: .zero) == .notFollowed)
        table.endAll()
        #expect(try await reader.next(3) == [.snapshot(4), .event(5)])
        #expect(table.heard(WireEvent("p", seq: 6), at: .zero) == .notFollowed)
    }

    @Test func `following again ends the previous feed, and its pending replies do not affect the new one`()
        async throws
    {
        var table = FeedTable()
        var first = follow("p", in: &table)
        let old = try #require(subscribe(&table).first)
        _ = follow("p", in: &table)
        #expect(try await first.next(1).isEmpty)
        #expect(!table.isCurrent(old))
        #expect(table.answered(snapshot(4), for: old, at: .zero) == .notFollowed)
        table.failed(old, .unexpectedReply, at: .zero)
        let new = try #require(subscribe(&table).first)
        #expect(table.isCurrent(new))
        #expect(table.answered(snapshot(4), for: new, at: .zero) == .delivered)
    }

    @Test func `unsubscribes only from possible subscriptions`() {
        var table = FeedTable()
        #expect(table.unfollow("p") == false)
        _ = follow("p", in: &table)
        // Not requested yet.
        #expect(table.unfollow("p") == false)
        _ = follow("p", in: &table)
        let number = subscribe(&table).first?.number ?? 0
        #expect(table.unfollow("p", number: number - 1) == false)
        #expect(table.unfollow("p", number: number) == true)
        #expect(table.unfollow("p") == false)
    }

    @Test func `reports a reader that stops once, by the number of its feed`() async throws {
        var table = FeedTable()
        let stopped = Mailbox<Int>()
        let numbers = [0, 0].map { _ in
            let feed = table.follow("p", from: nil) { stopped.put($0) }
            return (feed, subscribe(&table).first?.number)
        }
        let reading = Task { [feed = numbers[1].0] in for try await _ in feed {} }
        reading.cancel()
        _ = await reading.result
        // The first one ended by itself.
        #expect(try await stopped.next() == numbers[1].1)
    }

    /// An error, and when to retry after one attempt: nil for not on this connection, `ended` for never.
    @Test(
        arguments: [
            (.timedOut, .askAt(.seconds(101))),
            (.disconnected, .askAt(.zero)), (.cancelled, .askAt(.zero)), (.closed, .askAt(.zero)),
            (.unexpectedReply, .ended), (.unencodable, .ended), (.readTooSlowly, .ended),
            (.refused(WireErrorReply(.promiseNotFound)), .ended),
            (.refused(WireErrorReply(.authRequired)), .askAt(nil)),
            (.refused(WireErrorReply(.serverUnavailable)), .askAt(.seconds(101))),
            (.refused(WireErrorReply(.serverUnavailable, retryAfterMs: 9_000)), .askAt(.seconds(109))),
        ] as [(ClientError, Failure)]
    )
    func `an error determines when to retry`(_ error: ClientError, _ failure: Failure) async throws {
        var table = FeedTable()
        var reader = follow("p", in: &table)
        let subscription = try #require(table.dueSubscriptions(at: .seconds(100), on: 1).first)
        table.failed(subscription, error, at: .seconds(100))
        switch failure {
        case .askAt(let moment):
            #expect(table.isCurrent(subscription))
            #expect(table.nextSubscription == moment)
            table.connectionReady()
            #expect(table.nextSubscription != nil)
        case .ended:
            #expect(!table.isCurrent(subscription))
            await #expect(throws: error) { try await reader.next(1) }
        }
    }

    /// The consequence of a failed attempt.
    enum Failure: Hashable, Sendable {
        case askAt(Duration?)
        case ended
    }

    @Test func `a reply without a snapshot to a request without a mark ends the feed`() async throws {
        var table = FeedTable()
        var reader = follow("p", in: &table)
        let subscription = try #require(subscribe(&table).first)
        #expect(table.answered(WireSubscribed(epoch: "e", seq: 4), for: subscription, at: .zero) == .notFollowed)
        await #expect(throws: ClientError.unexpectedReply) { try await reader.next(1) }
    }

    @Test func `after a loss the next subscription starts at the mark`() throws {
        var table = FeedTable()
        _ = follow("p", in: &table)
        let subscription = try #require(subscribe(&table).first)
        _ = table.answered(snapshot(4), for: subscription, at: .zero)
        #expect(table.nextSubscription == nil)
        table.connectionLost()
        let next = try #require(table.dueSubscriptions(at: .zero, on: 2).first)
        #expect(next.connection == 2)
        #expect(next.request.lastSeq == 4)
    }

    @Test func `ends a feed whose reader is too slow`() throws {
        var table = FeedTable()
        // Stored, so that the feed may still get a reader.
        let feed = table.follow("p", from: nil) { _ in }
        let subscription = try #require(subscribe(&table).first)
        _ = table.answered(snapshot(0), for: subscription, at: .zero)
        for seq in 1..<UInt32(PromiseFeed.limit) {
            #expect(table.heard(WireEvent("p", seq: seq), at: .zero) == .delivered)
        }
        #expect(table.heard(WireEvent("p", seq: UInt32(PromiseFeed.limit)), at: .zero) == .overflowed)
        #expect(table.heard(WireEvent("p", seq: UInt32(PromiseFeed.limit) + 1), at: .zero) == .notFollowed)
        withExtendedLifetime(feed) {}
    }
}
