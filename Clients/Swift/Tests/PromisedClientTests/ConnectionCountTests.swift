import PromisedClient
import PromisedProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConnectionCountTests {
    @Test func `counts connections from the first one online`() async throws {
        try await withClient { world in
            #expect(await world.client.connectionCount == 0)
            for count in 1...3 {
                let link = try await world.links.accept()
                #expect(try await world.notice() == .connected)
                #expect(await world.client.connectionCount == count)
                link.end(code: 1_006)
                #expect(try await world.notice() == .disconnected(code: 1_006, willReconnect: true))
            }
        }
    }

    @Test func `a post for an ended connection is not sent on the next`() async throws {
        try await withClient { world in
            let first = try await world.links.accept()
            #expect(try await world.notice() == .connected)
            let count = await world.client.connectionCount
            first.end(code: 1_006)
            #expect(try await world.notice() == .disconnected(code: 1_006, willReconnect: true))
            _ = try await world.links.accept()
            #expect(try await world.notice() == .connected)
            #expect(await !world.client.post(on: count) { .syncClock(WireSyncClock()) })
            #expect(await world.client.post(on: count + 1) { .syncClock(WireSyncClock()) })
        }
    }
}
