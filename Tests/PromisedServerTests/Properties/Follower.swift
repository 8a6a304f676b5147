import Logging
import PromisedClient
import PromisedProtocol
import PromisedSimulation
import PromisedTestSupport
import PromisedWebSocketTransport

/// A program that follows one promise, and is killed and restarted now and then.
struct Follower: Sendable {
    /// The events that its user has read, over all connections.
    struct Story: Sendable {
        var name: String
        /// The position of the first snapshot.
        var beginning: FeedMark?
        var mark: FeedMark?
        /// The durable events, in the order read.
        var events: [WireEvent] = []
        var snapshots = 0
        var lives = 0
    }

    let name: String
    let session: WireSession
    let promiseID: String
    let address: ServerAddress
    let codec: WireCodec
    let seed: UInt64

    /// Follows the promise to its final result.
    func follow() async throws -> Story {
        var story = Story(name: name)
        var generator = SeededGenerator(seed: seed)
        while try await !live(Int.random(in: 10...40, using: &generator), &story) {}
        return story
    }

    /// One connection of `events` durable events; the next continues from its mark.
    ///
    /// - Returns: `true` after the last event.
    private func live(_ events: Int, _ story: inout Story) async throws -> Bool {
        story.lives += 1
        var log = Logger(label: "followers")
        log.logLevel = .critical
        var settings = ClientSettings(address: address, codec: codec)
        settings.deviceID = seed.isMultiple(of: 2) ? "phone of \(name)" : nil
        settings.backoff = Backoff(first: .milliseconds(1), longest: .milliseconds(20))
        let client = PromisedClient(settings: settings, transport: WebSocketTransport(log: log), log: log)
        await client.restore(session)
        let feed = await client.follow(promiseID, from: story.mark)
        async let running: Void = client.run()
        let isOver = try await read(feed, events, &story)
        await client.close()
        await running
        return isOver
    }

    private func read(_ feed: PromiseFeed, _ events: Int, _ story: inout Story) async throws -> Bool {
        var left = events
        for try await notice in feed {
            story.mark = notice.mark
            switch notice {
            case .snapshot:
                story.snapshots += 1
                story.beginning = story.beginning ?? notice.mark
            case .event(let event, _):
                guard event.seq > 0 else { continue }
                story.events.append(event)
                if event.what?.isResultFinal == true { return true }
                left -= 1
                if left == 0 { return false }
            }
        }
        throw ClientError.closed
    }
}
