import PromisedClient
import PromisedDomain
import PromisedTransport
import PromisedWire
import Testing

/// The client over a real socket.
@Suite(.timeLimit(.minutes(1))) struct SocketTests {
    /// Runs a test against a small server and a client of it, and ends both.
    private func withServer(
        _ codec: WireCodec,
        _ body: (PromisedClient, ClockServer) async throws -> Void
    ) async throws {
        let server = ClockServer(codec: codec)
        let address = try await server.start()
        var settings = ClientSettings(
            address: ServerAddress(host: address.host, port: address.port),
            codec: codec
        )
        settings.backoff = Backoff(first: .milliseconds(10), longest: .milliseconds(10))
        let client = PromisedClient(settings: settings, log: quiet)
        async let running: Void = client.run()
        let result: Result<Void, any Error>
        do {
            try await body(client, server)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await client.close()
        await running
        await server.stop()
        try result.get()
    }

    private func checkClock(_ client: PromisedClient, uptime: Double) async throws {
        var request = WireSyncClock()
        request.uptimeMs = uptime
        let clock = try await client.syncClock(request)
        #expect(clock.uptimeMs == uptime)
        #expect(try Instant(wire: clock.receivedAt, field: "receivedAt") == ClockServer.shown)
    }

    @Test(arguments: WireCodec.allCases)
    func `calls, refusals and a lost connection over a socket`(_ codec: WireCodec) async throws {
        try await withServer(codec) { client, server in
            let first = try await server.opened.next()
            try await checkClock(client, uptime: 1.5)
            let refused = await outcome { () async throws(ClientError) in try await client.getPromise("p") }
            #expect(refused == .failure(.refused(WireErrorReply(.authRequired))))
            server.close(first, CloseCode.draining.rawValue)
            let second = try await server.opened.next()
            try await checkClock(client, uptime: 2.5)
            server.close(second, CloseCode.accountGone.rawValue)
            var notices: [ClientNotice] = []
            for await notice in client.notices { notices.append(notice) }
            #expect(
                notices == [
                    .connected, .disconnected(code: 4_001, willReconnect: true),
                    .connected, .disconnected(code: 4_505, willReconnect: false),
                ]
            )
        }
    }

    @Test func `the server's clock is estimated from two exchanges`() async throws {
        try await withServer(.json) { client, _ in
            let estimate = try await client.estimateServerClock()
            // The clock stands, which is as slow as an estimate gets.
            #expect(estimate.rate == 0.001)
            #expect((estimate.now - ClockServer.shown).seconds < 1)
        }
    }
}
