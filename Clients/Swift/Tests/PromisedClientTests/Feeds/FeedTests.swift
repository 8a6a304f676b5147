import PromisedClient
import PromisedProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct FeedTests {
    // MARK: - One connection

    @Test func `a feed begins with a snapshot and continues with events in order`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            var reader = FeedReader(await world.client.follow("p"))
            let request = try await link.subscribe(seq: 4)
            #expect(request.promiseID == "p")
            #expect(!request.hasEpoch && !request.hasLastSeq)
            try link.events("p", 5, 0, 6)
            #expect(try await reader.next(4) == [.snapshot(4), .event(5), .event(0), .event(6)])
        }
    }

    @Test func `each notice has the mark to continue from`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            let feed = await world.client.follow("p")
            try await link.subscribe(seq: 4)
            try link.events("p", 5, 0)
            var marks: [FeedMark] = []
            for try await notice in feed {
                marks.append(notice.mark)
                if marks.count == 3 { break }
            }
            #expect(marks.map(\.seq) == [4, 5, 5])
            #expect(marks.allSatisfy { $0.epoch == "e" })
        }
    }

    @Test func `drops duplicate events`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            var reader = FeedReader(await world.client.follow("p"))
            try await link.subscribe(seq: 2)
            try link.events("p", 1, 2, 3, 3, 2, 4, 1, 4, 5)
            #expect(try await reader.next(4) == [.snapshot(2), .event(3), .event(4), .event(5)])
        }
    }

    @Test func `requests the events of a gap before delivering later ones`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            var reader = FeedReader(await world.client.follow("p"))
            try await link.subscribe(seq: 1)
            try link.events("p", 2, 4)
            let request = try await link.catchUp(seq: 5, missed: [3, 4, 5])
            #expect(request.epoch == "e")
            #expect(request.lastSeq == 2)
            try link.events("p", 6)
            let expected: [Told] = [.snapshot(1), .event(2), .event(3), .event(4), .event(5), .event(6)]
            #expect(try await reader.next(6) == expected)
        }
    }

    @Test func `events that overtake the reply wait for it`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            var reader = FeedReader(await world.client.follow("p"))
            let (frame, _) = try await link.subscription()
            try link.events("p", 3, 2, 0)
            var reply = WireSubscribed(epoch: "e", seq: 1)
            reply.snapshot.promiseID = "p"
            try link.reply(to: frame, .subscribed(reply))
            #expect(try await reader.next(3) == [.snapshot(1), .event(2), .event(3)])
        }
    }

    @Test func `events of followed promises are not among the notices, others are`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            #expect(try await world.notice() == .connected)
            var reader = FeedReader(await world.client.follow("p"))
            try await link.subscribe(seq: 0)
            try link.events("p", 1)
            try link.events("q", 7)
            #expect(try await reader.next(2) == [.snapshot(0), .event(1)])
            #expect(try await world.notice() == .event(WireEvent("q", seq: 7)))
        }
    }

    // MARK: - Coming back

    @Test func `after a loss the feed continues at its mark`() async throws {
        try await withClient { world in
            let first = try await world.signedIn()
            var reader = FeedReader(await world.client.follow("p"))
            try await first.subscribe(seq: 1)
            try first.events("p", 2)
            #expect(try await reader.next(2) == [.snapshot(1), .event(2)])
            first.end(code: 1_006)
            let second = try await world.links.accept()
            try await second.welcome()
            let request = try await second.catchUp(seq: 4, missed: [3, 4])
            #expect(request.epoch == "e" && request.lastSeq == 2)
            try second.events("p", 4, 5)
            #expect(try await reader.next(3) == [.event(3), .event(4), .event(5)])
        }
    }

    @Test func `sends a snapshot after a change of epoch or too many missed events`() async throws {
        try await withClient { world in
            let first = try await world.signedIn()
            var reader = FeedReader(await world.client.follow("p"))
            try await first.subscribe(seq: 90)
            first.end(code: 1_006)
            let second = try await world.links.accept()
            try await second.welcome()
            try await second.subscribe(epoch: "f", seq: 3)
            try second.events("p", 4)
            #expect(try await reader.next(3) == [.snapshot(90), .snapshot(3), .event(4)])
            second.end(code: 1_006)
            let third = try await world.links.accept()
            try await third.welcome()
            let request = try await third.subscribe(epoch: "f", seq: 900)
            #expect(request.epoch == "f" && request.lastSeq == 4)
            #expect(try await reader.next(1) == [.snapshot(900)])
        }
    }

    @Test(arguments: [[5], [3, 5], [], [6]] as [[UInt32]])
    func `a snapshot replaces missed events that leave a gap`(_ missed: [UInt32]) async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            var reader = FeedReader(await world.client.follow("p", from: FeedMark(epoch: "e", seq: 2)))
            let first = try await link.catchUp(seq: 5, missed: missed)
            #expect(first.epoch == "e" && first.lastSeq == 2)
            let second = try await link.subscribe(seq: 5)
            #expect(!second.hasEpoch && !second.hasLastSeq)
            let told: [Told] = missed.first == 3 ? [.event(3), .snapshot(5)] : [.snapshot(5)]
            #expect(try await reader.next(told.count) == told)
        }
    }

    @Test func `a feed begins at the mark that the app stored`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            var reader = FeedReader(await world.client.follow("p", from: FeedMark(epoch: "e", seq: 7)))
            let request = try await link.catchUp(seq: 8, missed: [8])
            #expect(request.epoch == "e" && request.lastSeq == 7)
            #expect(try await reader.next(1) == [.event(8)])
        }
    }

    @Test func `subscribes a feed opened before the sign-in after it`() async throws {
        let links = MemoryLinks()
        let client = makeClient(.test, links: links)
        var reader = FeedReader(await client.follow("p"))
        async let running: Void = client.run()
        let link = try await links.accept()
        try await ClientWorld(client: client, links: links).signIn(over: link)
        try await link.subscribe(seq: 1)
        #expect(try await reader.next(1) == [.snapshot(1)])
        await client.close()
        await running
        #expect(try await reader.next(1).isEmpty)
    }
}
