import PromisedClient
import PromisedProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReconnectTests {
    /// Every code of the protocol, the bounds of its ranges, and the codes of WebSocket itself.
    static let codes: [UInt16] =
        CloseCode.allCases.map(\.rawValue) + [1_000, 1_001, 1_005, 1_006, 1_011, 4_000, 4_499, 4_999, 5_000]

    @Test(arguments: codes)
    func `a client without a session reconnects after every code except 4500 to 4999, and once after 4502`(
        _ code: UInt16
    ) async throws {
        let mayReturn = !(4_500...4_999).contains(code) || code == 4_502
        try await withClient { world in
            let link = try await world.links.accept()
            #expect(try await world.notice() == .connected)
            link.end(code: code)
            #expect(try await world.notice() == .disconnected(code: code, willReconnect: mayReturn))
            if mayReturn {
                _ = try await world.links.accept()
                #expect(try await world.notice() == .connected)
            } else {
                await #expect(throws: Mailbox<ClientNotice>.Ended.self) { try await world.notice() }
                let late = await outcome { () async throws(ClientError) in try await world.client.syncClock() }
                #expect(late == .failure(.closed))
            }
        }
    }

    @Test(arguments: CloseCode.allCases)
    func `a client with a session reconnects also after 4500, and once after 4502`(_ code: CloseCode) async throws {
        let mayReturn = code.mayReconnect || code == .tokenInvalid || code == .malformedFrame
        try await withClient { world in
            let link = try await world.links.accept()
            #expect(try await world.notice() == .connected)
            try await world.signIn(over: link)
            link.end(code: code.rawValue)
            #expect(try await world.notice() == .disconnected(code: code.rawValue, willReconnect: mayReturn))
        }
    }

    @Test func `reports failed attempts and tries again`() async throws {
        try await withClient(links: MemoryLinks([.fails("no route"), .fails("refused")])) { world in
            #expect(try await world.notice() == .attemptFailed("no route"))
            #expect(try await world.notice() == .attemptFailed("refused"))
            _ = try await world.links.accept()
            #expect(try await world.notice() == .connected)
        }
    }

    @Test func `connects at once, and waits before each further attempt`() async throws {
        try await withClient(links: MemoryLinks([.fails("1"), .fails("2")])) { world in
            try await world.expect(.failed, .drew, .failed, .drew, .opened)
        }
    }

    @Test func `a client waits before it reconnects after losing a good connection`() async throws {
        try await withClient { world in
            for _ in 1...3 {
                try await world.expect(.opened)
                let link = try await world.links.accept()
                try await world.client.waitUntilOnline()
                link.end(code: 4_001)
                try await world.expect(.drew)
            }
        }
    }

    @Test func `closing ends the wait between two attempts`() async throws {
        var settings = ClientSettings.test
        settings.backoff = Backoff(first: .seconds(3_600), longest: .seconds(3_600))
        try await withClient(settings, links: MemoryLinks([.fails("no route")])) { world in
            try await world.expect(.failed, .drew)
        }
    }

    @Test func `closing ends a hanging attempt without reporting a failure`() async throws {
        let links = MemoryLinks([.hangs])
        let client = makeClient(.test, links: links)
        async let running: Void = client.run()
        try await links.hanging.next()
        await client.close()
        await running
        for await notice in client.notices { Issue.record("\(notice)") }
    }
}
