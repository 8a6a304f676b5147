import PromisedClient
import PromisedProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct FeedEndTests {
    @Test func `removes a closed feed`() async throws {
        try await withClient { world in
            let first = try await world.signedIn()
            var reader = FeedReader(await world.client.follow("p"))
            try await first.subscribe(seq: 1)
            #expect(try await reader.next(1) == [.snapshot(1)])
            await world.client.unfollow("p")
            #expect(try await reader.next(1).isEmpty)
            let frame = try await first.receive()
            #expect(frame.unsubscribe.promiseID == "p")
            #expect(frame.id == 0)
            first.end(code: 1_006)
            let second = try await world.links.accept()
            try await second.welcome()
            // This is the first request.
            async let reply = world.client.syncClock(WireSyncClock(uptime: 1))
            let next = try await second.receive()
            #expect(next.syncClock.uptimeMs == 1)
            try second.reply(to: next, .clock(uptime: 1))
            _ = try await reply
        }
    }

    @Test func `a cancelled reader ends the subscription`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            let feed = await world.client.follow("p")
            let told = Mailbox<Told>()
            let reading = Task { for try await notice in feed { told.put(Told(notice)) } }
            try await link.subscribe(seq: 1)
            #expect(try await told.next() == .snapshot(1))
            reading.cancel()
            try await reading.value
            #expect(try await link.receive().unsubscribe.promiseID == "p")
        }
    }

    @Test func `following again ends the previous feed`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            var first = FeedReader(await world.client.follow("p"))
            try await link.subscribe(seq: 1)
            #expect(try await first.next(1) == [.snapshot(1)])
            var second = FeedReader(await world.client.follow("p"))
            try await link.subscribe(seq: 2)
            #expect(try await first.next(1).isEmpty)
            #expect(try await second.next(1) == [.snapshot(2)])
        }
    }

    @Test(arguments: [ErrorCode.promiseNotFound, .promiseNotAccepted, .requestInvalid])
    func `a permanent refusal ends the feed with its error`(_ code: ErrorCode) async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            var reader = FeedReader(await world.client.follow("p"))
            try link.refuse(try await link.subscription().frame, WireErrorReply(code))
            await #expect(throws: ClientError.refused(WireErrorReply(code))) { try await reader.next(1) }
        }
    }

    @Test func `retries a temporary refusal at the server's time`() async throws {
        let time = TestTime()
        try await withClient(time: time) { world in
            let link = try await world.signedIn()
            var reader = FeedReader(await world.client.follow("p"))
            let busy = WireErrorReply(.limitRate, retryAfterMs: 7_000)
            try link.refuse(try await link.subscription().frame, busy)
            await time.pass(.seconds(7))
            try await link.subscribe(seq: 1)
            #expect(try await reader.next(1) == [.snapshot(1)])
        }
    }

    @Test func `a reply without the requested content ends the feed`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            var reader = FeedReader(await world.client.follow("p"))
            try await link.catchUp(seq: 3, missed: [1, 2, 3])
            await #expect(throws: ClientError.unexpectedReply) { try await reader.next(1) }
        }
    }

    @Test func `an app that does not read loses the feed, not the client`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            let feed = await world.client.follow("p")
            try await link.subscribe(seq: 0)
            for seq in 1...UInt32(PromiseFeed.limit) { try link.events("p", seq) }
            #expect(try await link.receive().unsubscribe.promiseID == "p")
            var reader = FeedReader(feed)
            #expect(try await reader.next(PromiseFeed.limit).last == .event(UInt32(PromiseFeed.limit) - 1))
            await #expect(throws: ClientError.readTooSlowly) { try await reader.next(1) }
            #expect(await world.client.connectionCount == 1)
        }
    }

    @Test func `a closed client has no feeds`() async throws {
        let client = makeClient(.test, links: MemoryLinks())
        await client.close()
        var reader = FeedReader(await client.follow("p"))
        #expect(try await reader.next(1).isEmpty)
    }
}
