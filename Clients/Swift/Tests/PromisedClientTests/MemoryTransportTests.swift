import PromisedClient
import PromisedClientTesting
import PromisedProtocol
import Testing

/// The server in memory that tests of apps use.
@Suite(.timeLimit(.minutes(1))) struct MemoryTransportTests {
    private func withServer(
        _ server: MemoryTransport,
        codec: WireCodec = .json,
        _ body: (PromisedClient) async throws -> Void
    ) async throws {
        var settings = ClientSettings.test
        settings.codec = codec
        let client = PromisedClient(settings: settings, transport: server, log: quiet)
        async let running: Void = client.run()
        let outcome: Result<Void, any Error>
        do {
            try await body(client)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await client.close()
        await running
        try outcome.get()
    }

    @Test(arguments: WireCodec.allCases)
    func `a client signs in, follows and receives events`(_ codec: WireCodec) async throws {
        let server = MemoryTransport()
        try await withServer(server, codec: codec) { client in
            let session = try await client.signIn(email: "ann@meet.example", password: "correct horse")
            #expect(session.user.nickname == "ann")
            var feed = await client.follow("p").makeAsyncIterator()
            guard case .snapshot(let promise, let mark)? = try await feed.next(isolation: #isolation) else {
                Issue.record("no snapshot came")
                return
            }
            #expect(promise.promiseID == "p" && mark == FeedMark(epoch: "memory", seq: 0))
            server.send(WireEvent("p", seq: 1))
            guard case .event(let event, _)? = try await feed.next(isolation: #isolation) else {
                Issue.record("no event came")
                return
            }
            #expect(event.seq == 1)
        }
    }

    @Test func `a script replies, refuses or stays silent`() async throws {
        let server = MemoryTransport { request in
            switch request {
            case .getPromise: .error(WireErrorReply(.promiseNotFound))
            default: MemoryTransport.usualAnswer(to: request)
            }
        }
        try await withServer(server) { client in
            let refused = await outcome { () async throws(ClientError) in try await client.getPromise("p") }
            #expect(refused == .failure(.refused(WireErrorReply(.promiseNotFound))))
            try await client.nudge(promiseID: "p", userID: "bea")
        }
        var requests: [WireRequest] = []
        for await request in server.requests { requests.append(request) }
        #expect(requests.count == 2)
    }

    @Test func `a client reconnects after a loss and after failed attempts`() async throws {
        let server = MemoryTransport()
        try await withServer(server) { client in
            var notices = client.notices.makeAsyncIterator()
            #expect(await notices.next(isolation: #isolation) == .connected)
            server.failNextAttempt("no way there")
            server.disconnect()
            #expect(await notices.next(isolation: #isolation) == .disconnected(code: 1_006, willReconnect: true))
            #expect(await notices.next(isolation: #isolation) == .attemptFailed("no way there"))
            #expect(await notices.next(isolation: #isolation) == .connected)
            #expect(server.connectionCount == 2)
        }
    }
}
