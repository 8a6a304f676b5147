import PromisedClient
import PromisedProtocol
import SwiftProtobuf
import Testing

@Suite(.timeLimit(.minutes(1))) struct NotificationTests {
    private func announce(_ id: String, over link: MemoryLink) throws -> WireEvent {
        let event = WireEvent.with { $0.notification.notification.notificationID = id }
        try link.send(WireServerFrame(event: event))
        return event
    }

    @Test func `delivers notifications in order over all connections, and no other events`() async throws {
        try await withClient { world in
            let first = try await world.signedIn()
            _ = try announce("n1", over: first)
            try first.event("p")
            first.end(code: 4_001)
            let second = try await world.links.accept()
            try await second.welcome()
            _ = try announce("n2", over: second)
            var ids: [String] = []
            for await notification in world.client.notifications {
                ids.append(notification.notificationID)
                if ids.count == 2 { break }
            }
            #expect(ids == ["n1", "n2"])
        }
    }

    @Test func `a notification is also among the notices`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            let event = try announce("n1", over: link)
            #expect(try await world.notice() == .connected)
            #expect(try await world.notice() == .event(event))
        }
    }

    @Test func `limits unread notifications to the newest and signals the end`() async throws {
        let client = try await withUnread(count: 201)
        var ids: [String] = []
        for await notification in client.notifications { ids.append(notification.notificationID) }
        #expect(ids == (1...200).map { "n\($0)" })
    }

    /// A client that has ended with the notifications `n0`, `n1`, … unread.
    private func withUnread(count: Int) async throws -> PromisedClient {
        let links = MemoryLinks()
        let client = makeClient(.test, links: links)
        async let running: Void = client.run()
        let link = try await links.accept()
        for number in 0..<count { _ = try announce("n\(number)", over: link) }
        // Its reply arrives after all of them.
        async let clock = client.syncClock(WireSyncClock(uptime: 1))
        try link.reply(to: try await link.receive(), .clock(uptime: 1))
        _ = try await clock
        await client.close()
        await running
        return client
    }
}
