import PromisedClient
import PromisedProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct EndTests {
    @Test func `closing closes the connection and ends the notices`() async throws {
        let links = MemoryLinks()
        let client = makeClient(.test, links: links)
        async let running: Void = client.run()
        let link = try await links.accept()
        try await client.waitUntilOnline()
        await client.close()
        #expect(try await link.closedByClient() == 1_000)
        await running
        #expect(links.shutDownCount == 1)
        var notices: [ClientNotice] = []
        for await notice in client.notices { notices.append(notice) }
        #expect(notices == [.connected, .disconnected(code: 1_000, willReconnect: false)])
    }

    @Test func `a client that never ran can be closed`() async throws {
        let client = makeClient(.test, links: MemoryLinks())
        await client.close()
        for await notice in client.notices { Issue.record("\(notice)") }
        #expect(await outcome { () async throws(ClientError) in try await client.syncClock() } == .failure(.closed))
        #expect(await !client.post { .syncClock(WireSyncClock()) })
        // Now `run()` returns at once.
        await client.run()
    }

    @Test func `closing twice has the effect of closing once`() async throws {
        try await withClient { world in
            _ = try await world.links.accept()
            try await world.client.waitUntilOnline()
            await world.client.close()
            await world.client.close()
        }
    }

    @Test func `cancelling the run closes the client`() async throws {
        let links = MemoryLinks()
        let client = makeClient(.test, links: links)
        let running = Task { await client.run() }
        _ = try await links.accept()
        try await client.waitUntilOnline()
        running.cancel()
        await running.value
        #expect(links.shutDownCount == 1)
        for await notice in client.notices where notice != .connected {
            guard case .disconnected(_, willReconnect: false) = notice else {
                Issue.record("\(notice)")
                continue
            }
        }
        #expect(await outcome { () async throws(ClientError) in try await client.syncClock() } == .failure(.closed))
    }

    @Test func `closing ends calls that wait for a reply or a connection`() async throws {
        let links = MemoryLinks([.hangs])
        let client = makeClient(.test, links: links)
        async let running: Void = client.run()
        try await links.hanging.next()
        async let offline = outcome { () async throws(ClientError) in try await client.syncClock() }
        await client.close()
        await running
        #expect(await offline == .failure(.closed))

        try await withClient { world in
            let link = try await world.links.accept()
            async let waiting = outcome { () async throws(ClientError) in try await world.client.syncClock() }
            _ = try await link.receive()
            await world.client.close()
            #expect(await waiting == .failure(.closed))
        }
    }

    // proves: 4502
    @Test func `after a malformed frame the open calls fail with message and field, and the client reconnects once`()
        async throws
    {
        let reason = "The server could not decode a frame: syncClock.uptimeMs"
        try await withClient { world in
            let link = try await world.links.accept()
            try await world.client.waitUntilOnline()
            #expect(try await world.notice() == .connected)
            async let first = outcome { () async throws(ClientError) in try await world.client.syncClock() }
            _ = try await link.receive()
            async let second = outcome { () async throws(ClientError) in try await world.client.syncClock() }
            _ = try await link.receive()
            link.end(code: 4_502, reason: reason)
            var fault = WireErrorReply(.requestInvalid, message: reason, field: "syncClock.uptimeMs")
            #expect(await first == .failure(.refused(fault)))
            // The server has not received this one.
            fault.retry = Retry.later.wireValue
            #expect(await second == .failure(.refused(fault)))
            #expect(try await world.notice() == .disconnected(code: 4_502, willReconnect: true))
            let next = try await world.links.accept()
            try await world.client.waitUntilOnline()
            #expect(try await world.notice() == .connected)
            next.end(code: 4_502, reason: "The server could not decode a frame.")
            #expect(try await world.notice() == .disconnected(code: 4_502, willReconnect: false))
        }
    }

    @Test func `retries a resumption with a malformed frame once`() async throws {
        try await withClient { world in
            let link = try await world.signedIn()
            try await world.client.waitUntilOnline()
            link.end(code: 1_006)
            let second = try await world.links.accept()
            _ = try await second.receive()
            second.end(code: 4_502, reason: "The server could not decode a frame: hello.token")
            let third = try await world.links.accept()
            try await third.welcome()
            try await world.client.waitUntilOnline()
        }
    }

    @Test func `only a strict client declares itself strict`() async throws {
        for isStrict in [true, false] {
            var settings = ClientSettings.test
            settings.isStrict = isStrict
            try await withClient(settings) { world in
                let link = try await world.signedIn()
                try await world.client.waitUntilOnline()
                link.end(code: 1_006)
                #expect(try await world.links.accept().welcome().strict == isStrict)
            }
        }
    }

    /// Continuations are checked: resuming one twice stops the process, never resuming it hangs the test.
    @Test(arguments: 1...20)
    func `concurrent replies, cancellation, loss and closing end every call exactly once`(_ round: Int) async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            let calls = (0..<60).map { _ in
                Task { await outcome { () async throws(ClientError) in try await world.client.syncClock() } }
            }
            var frames: [WireClientFrame] = []
            for _ in calls { frames.append(try await link.receive()) }
            let received = frames
            await withTaskGroup { group in
                group.addTask { for call in calls.prefix(30) { call.cancel() } }
                group.addTask {
                    for frame in received[15..<45] {
                        let isSent = (try? link.reply(to: frame, .clock(WireClock()))) != nil
                        #expect(isSent)
                    }
                    if round.isMultiple(of: 2) { link.end(code: 1_006) }
                }
                group.addTask { await world.client.close() }
            }
            for call in calls {
                switch await call.value {
                case .success, .failure(.cancelled), .failure(.closed), .failure(.disconnected): continue
                case .failure(let error): Issue.record("\(error)")
                }
            }
        }
    }

    @Test(arguments: [Array("{".utf8), Array("{\"id\":\"x\"}".utf8), [0xFF, 0xFE], []] as [[UInt8]])
    func `a frame that cannot be decoded closes the client with 4502`(_ bytes: [UInt8]) async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            #expect(try await world.notice() == .connected)
            link.send(raw: bytes)
            #expect(try await link.closedByClient() == 4_502)
            #expect(try await world.notice() == .disconnected(code: 4_502, willReconnect: false))
        }
    }

    @Test func `events arrive in order, those of a later version with their known fields`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            #expect(try await world.notice() == .connected)
            for number in 1...100 { try link.event("\(number)") }
            link.send(raw: Array(#"{"event":{"promiseId":"101","unheardOf":{}},"later":1}"#.utf8))
            for number in 1...101 {
                guard case .event(let event) = try await world.notice() else {
                    Issue.record("no event")
                    return
                }
                #expect(event.promiseID == "\(number)")
            }
        }
    }

    @Test func `an app that does not read loses the connection permanently, but no event before that`() async throws {
        let links = MemoryLinks()
        let client = makeClient(.test, links: links)
        async let running: Void = client.run()
        let link = try await links.accept()
        try await client.waitUntilOnline()
        // With `connected`, these exceed the buffer by one.
        for number in 1...PromisedClient.noticeLimit { try link.event("\(number)") }
        #expect(try await link.closedByClient() == 1_000)
        await running
        var notices: [ClientNotice] = []
        for await notice in client.notices { notices.append(notice) }
        #expect(notices.count == PromisedClient.noticeLimit)
        #expect(notices.first == .connected)
        for (number, notice) in notices.enumerated().dropFirst() {
            guard case .event(let event) = notice, event.promiseID == "\(number)" else {
                Issue.record("\(notice) at \(number)")
                return
            }
        }
    }

    @Test func `an app that reads in time keeps the connection`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            #expect(try await world.notice() == .connected)
            for number in 1...PromisedClient.noticeLimit { try link.event("\(number)") }
            for _ in 1...PromisedClient.noticeLimit { _ = try await world.notice() }
            async let reply = world.client.syncClock()
            try link.reply(to: try await link.receive(), .clock(WireClock()))
            _ = try await reply
        }
    }
}
