import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(1)))
struct CloseTests {
    // MARK: - Codes both ways

    @Test(arguments: [1000, 1001, 1011, 4000, 4001, 4499, 4500, 4999] as [UInt16])
    func `the server's code and text reach the client`(_ code: UInt16) async throws {
        try await withServer { running in
            let connection = try await running.connect()
            let id = try await running.handler.opened()
            running.server.close(id, CloseReason(code: code, text: "bye ü"))
            #expect(await connection.end() == .byPeer(code: code, text: "bye ü"))
            #expect(try await running.handler.cause(of: id) == .byThisEnd(code: code))
        }
    }

    @Test(arguments: [1000, 1001, 3000, 4000, 4999] as [UInt16])
    func `the client's code and text reach the server`(_ code: UInt16) async throws {
        try await withServer { running in
            let connection = try await running.connect()
            let id = try await running.handler.opened()
            connection.close(CloseReason(code: code, text: "bye"))
            #expect(try await running.handler.cause(of: id) == .byPeer(code: code, text: "bye"))
            #expect(await connection.end() == .byThisEnd(code: code))
        }
    }

    @Test func `answers a close frame with its code, one without a code as 1005`() async throws {
        try await withServer { running in
            let peer = try await RawPeer.open(running.address)
            await peer.write(RawPeer.closeFrame(4321, "why"))
            #expect(await peer.readFrame()?.closeCode == 4321)
            #expect(await peer.readFrame() == nil)
            #expect(try await running.handler.cause(of: running.handler.opened(0)) == .byPeer(code: 4321, text: "why"))
            let other = try await RawPeer.open(running.address)
            await other.write(RawPeer.frame(8, []))
            #expect(await other.readFrame()?.closeCode == 1005)
            #expect(try await running.handler.cause(of: running.handler.opened(1)).code == 1005)
        }
    }

    @Test func `reports a vanished peer as lost`() async throws {
        try await withServer { running in
            var peer: RawPeer? = try await RawPeer.open(running.address)
            let id = try await running.handler.opened()
            #expect(peer != nil)
            peer = nil
            #expect(try await running.handler.cause(of: id) == .lost)
        }
    }

    // MARK: - Order

    @Test func `sends queued messages before the close frame, and nothing after it`() async throws {
        try await withServer { running in
            let connection = try await running.connect()
            let id = try await running.handler.opened()
            for number in 0..<100 { running.server.send(Payload("\(number)"), to: [id]) }
            running.server.close(id, CloseReason(code: 4001))
            running.server.send(Payload("too late"), to: [id])
            var events: [ClientEvent] = []
            for await event in connection.incoming { events.append(event) }
            let texts = (0..<100).map { ClientEvent.message(Array("\($0)".utf8), isText: true) }
            #expect(events == texts + [.closed(.byPeer(code: 4001, text: ""))])
        }
    }

    @Test func `ignores messages after a close request`() async throws {
        try await withServer { running in
            let peer = try await RawPeer.open(running.address)
            let id = try await running.handler.opened()
            running.server.close(id, .normal)
            #expect(await peer.readClose() == 1000)
            await peer.write(RawPeer.frame(1, Array("late".utf8)) + RawPeer.closeFrame(1000))
            #expect(try await running.handler.cause(of: id) == .byThisEnd(code: 1000))
            #expect(running.handler.events.all.messages.isEmpty)
        }
    }

    @Test func `closing twice, or after the end, changes nothing`() async throws {
        try await withServer { running in
            let connection = try await running.connect()
            let id = try await running.handler.opened()
            running.server.close(id, CloseReason(code: 4001))
            running.server.close(id, CloseReason(code: 4999))
            #expect(await connection.end()?.code == 4001)
            #expect(try await running.handler.cause(of: id) == .byThisEnd(code: 4001))
            running.server.close(id, .normal)
            running.server.send(Payload("x"), to: [id])
            running.server.admit(id)
            running.server.processed(id, bytes: 10)
            _ = try await running.connect()
            #expect(running.handler.events.all.closedIDs == [id])
        }
    }

    // MARK: - Deadlines

    @Test func `aborts a peer that does not answer the close frame`() async throws {
        let configuration = testConfiguration { $0.timing.close = .milliseconds(100) }
        try await withServer(configuration) { running in
            let peer = try await RawPeer.open(running.address)
            let id = try await running.handler.opened()
            running.server.close(id, CloseReason(code: 4001))
            #expect(await peer.readClose() == 4001)
            #expect(try await running.handler.cause(of: id) == .byThisEnd(code: 4001))
            let rest = await peer.readToEnd()
            #expect(rest == [])
        }
    }

    @Test(.proves("4004"))
    func `closes a connection without a timely sign-in with 4004`() async throws {
        let configuration = testConfiguration { $0.timing.admission = .milliseconds(150) }
        try await withServer(configuration) { running in
            let known = try await running.connect()
            running.server.admit(try await running.handler.opened(0))
            let unknown = try await running.connect()
            #expect(await unknown.end() == .byPeer(code: 4004, text: "no sign-in in time"))
            known.send([0x78], isText: true)
            await running.handler.events.wait { $0.messages == [[0x78]] }
        }
    }

    @Test(.proves("4003")) func `sends pings, and closes a silent peer with 4003`() async throws {
        let configuration = testConfiguration {
            $0.timing.ping = .milliseconds(50)
            $0.timing.silence = .milliseconds(200)
        }
        try await withServer(configuration) { running in
            let silent = try await RawPeer.open(running.address)
            let talking = try await running.connect()
            var pings = 0
            var code: UInt16?
            while code == nil, let frame = await silent.readFrame() {
                if frame.opcode == 9 { pings += 1 }
                code = frame.closeCode
            }
            #expect(code == 4003)
            #expect(pings >= 2)
            // The client has answered its pings all the while.
            talking.send([0x78], isText: true)
            await running.handler.events.wait { $0.messages == [[0x78]] }
            #expect(running.handler.events.all.closedIDs.count <= 1)
        }
    }

    @Test func `closes an unfinished message with 1008`() async throws {
        let configuration = testConfiguration { $0.timing.message = .milliseconds(100) }
        try await withServer(configuration) { running in
            let peer = try await RawPeer.open(running.address)
            await peer.write(RawPeer.frame(1, Array("half".utf8), isFinal: false))
            #expect(await peer.readClose() == 1008)
        }
    }

    @Test func `treats half a frame header as silence`() async throws {
        let configuration = testConfiguration { $0.timing.silence = .milliseconds(100) }
        try await withServer(configuration) { running in
            let peer = try await RawPeer.open(running.address)
            await peer.write([0x81])
            #expect(await peer.readClose() == 4003)
        }
    }

    @Test func `sends nothing after the library's close frame`() async throws {
        try await withServer { running in
            let peer = try await RawPeer.open(running.address)
            let id = try await running.handler.opened()
            await peer.write(RawPeer.frame(3, []))
            #expect(await peer.readClose() == 1002)
            for number in 0..<10 { running.server.send(Payload("\(number)"), to: [id]) }
            // The server handles requests in order: once another connection has its greeting, all are handled.
            let other = try await running.connect()
            running.server.send(Payload("welcome"), to: [try await running.handler.opened(1)])
            #expect(await other.nextMessage() == Array("welcome".utf8))
            await peer.write(RawPeer.closeFrame(1002))
            let rest = await peer.readToEnd()
            #expect(rest == [])
            #expect(try await running.handler.cause(of: id) == .byThisEnd(code: 1002))
        }
    }
}
