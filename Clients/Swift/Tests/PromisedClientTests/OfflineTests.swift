import PromisedClient
import PromisedProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct OfflineTests {
    // MARK: - Calls

    @Test func `a call made while offline waits and is then sent`() async throws {
        let links = MemoryLinks()
        let client = makeClient(.test, links: links)
        async let reply = client.syncClock(WireSyncClock(uptime: 7))
        async let running: Void = client.run()
        let link = try await links.accept()
        let frame = try await link.receive()
        #expect(frame.syncClock.uptimeMs == 7)
        try link.reply(to: frame, .clock(uptime: 8))
        #expect(try await reply.uptimeMs == 8)
        await client.close()
        await running
    }

    @Test func `a call made while offline times out`() async throws {
        try await withClient(.impatient, links: MemoryLinks([.hangs])) { world in
            try await world.links.hanging.next()
            let result = await outcome { () async throws(ClientError) in try await world.client.syncClock() }
            #expect(result == .failure(.timedOut))
        }
    }

    @Test func `a call that waits for the connection can be cancelled`() async throws {
        try await withClient(links: MemoryLinks([.hangs])) { world in
            try await world.links.hanging.next()
            let call = Task { await outcome { () async throws(ClientError) in try await world.client.syncClock() } }
            call.cancel()
            #expect(await call.value == .failure(.cancelled))
        }
    }

    @Test func `a call made between two connections is sent on the second`() async throws {
        try await withClient { world in
            let first = try await world.links.accept()
            try await world.client.waitUntilOnline()
            first.end(code: 4_001)
            let second = try await world.links.accept()
            async let reply = world.client.syncClock()
            try second.reply(to: try await second.receive(), .clock(uptime: 9))
            #expect(try await reply.uptimeMs == 9)
        }
    }

    // MARK: - Posts

    @Test func `does not send a post while offline`() async throws {
        try await withClient(links: MemoryLinks([.hangs])) { world in
            try await world.links.hanging.next()
            let isSent = await world.client.post {
                Issue.record("nothing to make")
                return .syncClock(WireSyncClock())
            }
            #expect(!isSent)
        }
    }

    @Test func `sends a post without an id; its error is a notice`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            #expect(try await world.notice() == .connected)
            #expect(await world.client.post { .syncClock(WireSyncClock()) })
            let frame = try await link.receive()
            #expect(frame.id == 0)
            let error = WireErrorReply(.limitRate)
            try link.refuse(frame, error)
            #expect(try await world.notice() == .error(error))
        }
    }
}
