import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(2)))
struct LifeTests {
    private func server(
        _ configuration: WebSocketServerConfiguration = testConfiguration(),
        threads: Int = 1
    ) -> WebSocketServer {
        WebSocketServer(
            configuration: configuration,
            logger: quiet,
            threads: ServiceThreads(count: threads)
        )
    }

    // MARK: - Start

    @Test func `port 0 binds a free port and reports it`() async throws {
        try await withServer { running in
            #expect(running.address.port != 0)
            #expect(running.address.description == "127.0.0.1:\(running.address.port)")
        }
    }

    @Test func `fails to bind a used port, with one thread or two`() async throws {
        try await withServer { running in
            for threads in [1, 2] {
                let second = server(testConfiguration { $0.port = running.address.port }, threads: threads)
                let error = await #expect(throws: TransportError.self) {
                    try await second.start(serving: RecordingHandler())
                }
                guard case .bindFailed(let address, let errno, let text) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(address == running.address.description)
                #expect(errno == 98)
                #expect(text == "Address already in use")
                await second.waitUntilStopped()
            }
        }
    }

    @Test(arguments: ["no.such.host.invalid", "300.1.1.1"])
    func `fails to listen on an invalid host`(_ host: String) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await server(testConfiguration { $0.host = host }).start(serving: RecordingHandler())
        }
        guard case .hostNotFound(host, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `fails to bind an address of another machine`() async throws {
        let error = await #expect(throws: TransportError.self) {
            try await server(testConfiguration { $0.host = "192.0.2.1" }).start(serving: RecordingHandler())
        }
        guard case .bindFailed("192.0.2.1:0", _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a server starts once`() async throws {
        let server = server()
        _ = try await server.start(serving: RecordingHandler())
        await #expect(throws: TransportError.alreadyStarted) { try await server.start(serving: RecordingHandler()) }
        await server.shutdown()
        await #expect(throws: TransportError.alreadyStarted) { try await server.start(serving: RecordingHandler()) }
    }

    @Test func `the poll loop serves too`() async throws {
        var client = ClientConfiguration()
        client.usesPoll = true
        try await withServer(testConfiguration { $0.usesPoll = true }, client: client) { running in
            let connection = try await running.connect()
            let id = try await running.handler.opened()
            connection.send(Array("hello".utf8), isText: true)
            await running.handler.events.wait { $0.messages == [Array("hello".utf8)] }
            running.server.send(Payload("welcome"), to: [id])
            #expect(await connection.nextMessage() == Array("welcome".utf8))
        }
    }

    // MARK: - Shutdown

    @Test func `a shutdown notifies all connections and rejects new ones`() async throws {
        try await withServer { running in
            var connections: [ClientConnection] = []
            for _ in 0..<20 { connections.append(try await running.connect()) }
            await running.server.shutdown(closing: .draining)
            let events = running.handler.events.all
            #expect(events.closedIDs.count == 20)
            for connection in connections { #expect(await connection.end()?.code == 4001) }
            await #expect(throws: TransportError.self) { try await running.connect() }
            running.server.send(Payload("x"), to: events.openedIDs)
            await running.server.shutdown()
            await running.server.waitUntilStopped()
            #expect(running.handler.events.all.count == events.count)
        }
    }

    @Test func `a silent peer delays a shutdown only until its deadline`() async throws {
        try await withServer { running in
            let stubborn = try await RawPeer.open(running.address)
            let id = try await running.handler.opened()
            let clock = ContinuousClock()
            let took = await clock.measure {
                await running.server.shutdown(closing: .draining, timeout: .milliseconds(300))
            }
            #expect(took >= .milliseconds(300) && took < .seconds(3))
            #expect(await stubborn.readClose() == 4001)
            #expect(running.handler.events.all.closedIDs == [id])
        }
    }

    @Test func `spreads close frames over the given time`() async throws {
        try await withServer { running in
            for _ in 0..<50 { _ = try await running.connect() }
            let clock = ContinuousClock()
            let took = await clock.measure {
                await running.server.shutdown(spread: .milliseconds(400), timeout: .seconds(3))
            }
            #expect(took >= .milliseconds(300) && took < .seconds(3))
            #expect(running.handler.events.all.closedIDs.count == 50)
        }
    }

    @Test func `a shutdown aborts pending handshakes`() async throws {
        try await withServer { running in
            let half = try RawPeer(running.address)
            await half.write("GET /ws HTTP/1.1\r\n")
            // After a complete round trip the partial handshake has been accepted too.
            _ = try await running.connect()
            await running.server.shutdown(timeout: .seconds(3))
            #expect(await half.readToEnd() == [])
        }
    }

    @Test func `a server that was never started shuts down`() async {
        let server = server()
        await server.shutdown()
        await server.waitUntilStopped()
    }

    @Test func `waiting for the end ends with the task`() async throws {
        let server = server()
        _ = try await server.start(serving: RecordingHandler())
        let waiting = Task { await server.waitUntilStopped() }
        waiting.cancel()
        await waiting.value
        await server.shutdown()
    }

    @Test func `a dropped server ends by itself`() async throws {
        var server: WebSocketServer? = server()
        let address = try #require(try await server?.start(serving: RecordingHandler()))
        let peer = try await RawPeer.open(address)
        server = nil
        #expect(await peer.readToEnd().isEmpty)
    }

    // MARK: - Many

    @Test(.defends("connection-churn"))
    func `opening and closing five hundred connections twice leaves nothing`() async throws {
        try await withServer { running in
            for round in 1...2 {
                let events = Signals<ConnectionID>()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<500 {
                        group.addTask {
                            let connection = try await running.connect()
                            connection.send([0x78], isText: true)
                            connection.close()
                            #expect(await connection.end() == .byThisEnd(code: 1000))
                            events.note(connection.id)
                        }
                    }
                    try await group.waitForAll()
                }
                await running.handler.events.wait { $0.closedIDs.count == 500 * round }
                #expect(Set(events.all).count == 500)
            }
            let events = running.handler.events.all
            #expect(Set(events.openedIDs).count == 1000)
            #expect(Set(events.openedIDs) == Set(events.closedIDs))
            #expect(events.messages.count == 1000)
            // Reuses slots: no more of them than were open at once.
            #expect((events.openedIDs.map(\.slot).max() ?? 0) <= 500)
        }
    }
}
