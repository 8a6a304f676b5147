import PromisedClient
import PromisedProtocol
import Testing

/// How long a client waits before it reconnects.
@Suite(.timeLimit(.minutes(1))) struct PatienceTests {
    /// The generator of the tests draws half of each bound.
    private var settings: ClientSettings {
        var settings = ClientSettings.test
        settings.backoff = Backoff(first: .seconds(2), longest: .seconds(64))
        return settings
    }

    @Test func `waits as long as a server asks that refuses the hello temporarily`() async throws {
        let time = TestTime()
        try await withClient(settings, time: time) { world in
            let first = try await world.signedIn()
            first.end(code: 1_006)
            await time.pass(.seconds(1))
            let second = try await world.links.accept()
            try second.refuse(try await second.receive(), WireErrorReply(.limitRate, retryAfterMs: 40_000))
            #expect(try await second.closedByClient() == 1_000)
            await time.pass(.seconds(40))
            #expect(try await world.links.accept().welcome().token == "access-1")
        }
    }

    @Test func `lengthens the waits if connections end at once`() async throws {
        let time = TestTime()
        try await withClient(settings, time: time) { world in
            for wait in [1, 2, 4, 8, 16, 32, 32] {
                try await world.links.accept().end(code: 1_006)
                await time.pass(.seconds(wait))
            }
        }
    }

    @Test func `only a connection that lasted some seconds resets the waits`() async throws {
        let time = TestTime()
        try await withClient(settings, time: time) { world in
            for (lifetime, wait) in [(4_999, 1), (4_999, 2), (0, 4), (5_000, 1), (4_999, 2), (60_000, 1)] {
                let link = try await world.links.accept()
                #expect(try await world.notice() == .connected)
                time.advance(by: .milliseconds(lifetime))
                link.end(code: 1_006)
                #expect(try await world.notice() == .disconnected(code: 1_006, willReconnect: true))
                await time.pass(.seconds(wait))
            }
        }
    }
}
