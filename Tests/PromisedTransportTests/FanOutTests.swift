import PromisedConcurrency
import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(2)))
struct FanOutTests {
    /// Fills the buffers to a peer that does not read: the kernel's first, then the outbox.
    private func flood(_ running: RunningServer, _ id: ConnectionID, frames: Int) {
        let payload = Payload([UInt8](repeating: 0x78, count: 64 * 1024))
        for _ in 0..<frames { running.server.send(payload, to: [id]) }
    }

    /// Exceeds the bound of a peer that does not read, after the kernel's buffers are full.
    private func overwhelm(_ running: RunningServer, _ id: ConnectionID) async throws {
        flood(running, id, frames: 120)
        // Round trips of another connection leave the service thread time to fill the buffers.
        let other = try await running.connect()
        let otherID = try await running.handler.opened(1)
        for number in 0..<5 {
            running.server.send(Payload("\(number)"), to: [otherID])
            #expect(await other.nextMessage() == Array("\(number)".utf8))
        }
        flood(running, id, frames: 120)
        running.server.send(Payload("still here"), to: [otherID])
        #expect(await other.nextMessage() == Array("still here".utf8))
    }

    @Test func `ten thousand sends of a shared payload reach ten connections in order`() async throws {
        let configuration = testConfiguration {
            $0.limits.outboxFrames = 20000
            $0.limits.outboxBytes = 16 << 20
        }
        try await withServer(configuration) { running in
            var connections: [ClientConnection] = []
            for _ in 0..<10 { connections.append(try await running.connect()) }
            let ids = await running.handler.events.wait { $0.openedIDs.count == 10 }.openedIDs
            let payloads = (0..<1000).map { Payload("message \($0)") }
            for payload in payloads { running.server.send(payload, to: ids) }
            for connection in connections {
                var received = 0
                for await event in connection.incoming {
                    guard case .message(let bytes, _) = event else { break }
                    #expect(bytes == payloads[received].bytes)
                    received += 1
                    if received == payloads.count { break }
                }
                #expect(received == payloads.count)
            }
        }
    }

    @Test(.proves("10.6"))
    func `closes the fullest outbox beyond the total limit`() async throws {
        let configuration = testConfiguration {
            $0.limits.outboxBytes = 64 << 20
            $0.limits.outboxFrames = 5_000
            $0.limits.allOutboxBytes = 8 << 20
        }
        try await withServer(configuration) { running in
            let fullest = try await RawPeer.open(running.address, receiveBuffer: 4_096)
            let id = try await running.handler.opened()
            let other = try await RawPeer.open(running.address, receiveBuffer: 4_096)
            let otherID = try await running.handler.opened(1)
            flood(running, otherID, frames: 60)
            flood(running, id, frames: 300)
            #expect(try await running.handler.cause(of: id) == .byThisEnd(code: 4002))
            running.server.send(Payload("still here"), to: [otherID])
            for _ in 0..<60 { #expect(await other.readFrame()?.payload.count == 64 * 1024) }
            #expect(await other.readFrame()?.payload == Array("still here".utf8))
            #expect(running.handler.events.all.closedIDs == [id])
            withExtendedLifetime(fullest) {}
        }
    }

    @Test(arguments: [(999_999, false), (1_000_000, false), (1_000_001, true)])
    func `limits the total of queued bytes exactly`(bytes: Int, isTooMuch: Bool) async throws {
        let configuration = testConfiguration {
            $0.limits.outboxBytes = 64 << 20
            $0.limits.allOutboxBytes = 1_000_000
            $0.timing.close = .seconds(60)
        }
        try await withServer(configuration) { running in
            let fuller = try await RawPeer.open(running.address, receiveBuffer: 4_096)
            let id = try await running.handler.opened()
            let other = try await RawPeer.open(running.address, receiveBuffer: 4_096)
            let otherID = try await running.handler.opened(1)
            // More than the kernel accepts; the library holds the rest, and later frames wait in the outbox.
            running.server.send(Payload([UInt8](repeating: 0x78, count: 16 << 20)), to: [id, otherID])
            running.server.send(Payload([UInt8](repeating: 0x79, count: 400_000)), to: [otherID])
            running.server.send(Payload([UInt8](repeating: 0x79, count: bytes - 400_000)), to: [id])
            #expect(await fuller.readFrame()?.payload.count == 16 << 20)
            if isTooMuch {
                #expect(await fuller.readClose() == 4_002)
            } else {
                #expect(await fuller.readFrame()?.payload.count == bytes - 400_000)
            }
            #expect(await other.readFrame()?.payload.count == 16 << 20)
            #expect(await other.readFrame()?.payload.count == 400_000)
        }
    }

    /// The messages of one call, in order.
    private static let payloads = (0..<40).map { OutgoingPayload(Payload("message \($0)")) }

    @Test func `sends several messages in one packet`() async throws {
        try await withServer { running in
            let peer = try await RawPeer.open(running.address)
            let id = try await running.handler.opened()
            let whole = Self.payloads.flatMap { RawPeer.frame(1, $0.payload.bytes, isMasked: false) }
            for _ in 0..<10 {
                running.server.send(Self.payloads, to: [id])
                #expect(await peer.read() == whole)
            }
        }
    }

    @Test func `splits a large batch over several packets, in order`() async throws {
        try await withServer { running in
            try await sendTogether(running, over: try await running.connect())
        }
    }

    @Test func `continues a partially written packet`() async throws {
        let configuration = testConfiguration {
            $0.limits.outboxBytes = 64 << 20
            $0.limits.outboxFrames = 5_000
            $0.timing.close = .seconds(60)
        }
        try await withServer(configuration) { running in
            let slow = try await RawPeer.open(running.address, receiveBuffer: 4096)
            let id = try await running.handler.opened()
            // 16 MB are more than the kernel accepts, and two of these fit into a packet.
            let messages = (0..<2_000).map { [UInt8]("\($0) ".utf8) + [UInt8](repeating: 0x78, count: 8_000) }
            running.server.send(messages.map { OutgoingPayload(Payload($0)) }, to: [id])
            running.server.close(id, .normal)
            for message in messages { #expect(await slow.readFrame()?.payload == message) }
            #expect(await slow.readClose() == 1000)
        }
    }

    @Test func `sends a ping that is due soon with a message in one packet`() async throws {
        let configuration = testConfiguration { $0.timing.ping = .seconds(2) }
        try await withServer(configuration) { running in
            let peer = try await RawPeer.open(running.address)
            let id = try await running.handler.opened()
            let message = RawPeer.frame(1, Array("message".utf8), isMasked: false)
            var read = message
            while read == message {
                running.server.send(Payload("message"), to: [id])
                read = await peer.read()
            }
            #expect(read == message + RawPeer.frame(9, [0], isMasked: false))
        }
    }

    @Test func `keeps the order of messages for a slow reader`() async throws {
        let configuration = testConfiguration {
            $0.limits.outboxBytes = 64 << 20
            $0.timing.close = .seconds(60)
        }
        try await withServer(configuration, threads: ServiceThreads(count: 2)) { running in
            let slow = try await RawPeer.open(running.address, receiveBuffer: 4096)
            let id = try await running.handler.opened()
            flood(running, id, frames: 250)
            for _ in 0..<10 { running.server.send(Self.payloads, to: [id]) }
            running.server.close(id, .normal)
            var texts: [[UInt8]] = []
            while let frame = await slow.readFrame(), frame.opcode == 1 {
                if frame.payload.count < 100 { texts.append(frame.payload) }
            }
            #expect(texts == (0..<10).flatMap { _ in Self.payloads.map(\.payload.bytes) })
        }
    }

    @Test func `sends nothing more in a call that overflows the outbox`() async throws {
        let configuration = testConfiguration {
            $0.limits.outboxBytes = 16 << 20
            $0.limits.outboxFrames = 30
        }
        try await withServer(configuration) { running in
            let slow = try await RawPeer.open(running.address, receiveBuffer: 4096)
            let id = try await running.handler.opened()
            let large = OutgoingPayload(Payload([UInt8](repeating: 0x78, count: 8 << 20)))
            running.server.send([large] + Self.payloads, to: [id])
            var payloads: [[UInt8]] = []
            while let frame = await slow.readFrame(), frame.opcode == 1 { payloads.append(frame.payload) }
            #expect(payloads.count <= 1)
            #expect(try await running.handler.cause(of: id) == .byThisEnd(code: 4002))
        }
    }

    @Test(.proves("10.6", "4002"))
    func `closes a slow reader with 4002 without affecting others`() async throws {
        let configuration = testConfiguration {
            $0.limits.outboxBytes = 8 << 20
            $0.timing.close = .seconds(5)
        }
        try await withServer(configuration) { running in
            let slow = try await RawPeer.open(running.address, receiveBuffer: 4096)
            let slowID = try await running.handler.opened(0)
            try await overwhelm(running, slowID)
            // Once it reads again, it receives the kernel's data and then the close frame.
            #expect(await slow.readClose() == 4002)
            await slow.write(RawPeer.closeFrame(4002))
            #expect(try await running.handler.cause(of: slowID) == .byThisEnd(code: 4002))
            #expect(running.handler.events.all.closedIDs == [slowID])
        }
    }

    @Test func `closes with 4002 for a payload larger than an empty outbox`() async throws {
        try await withServer(testConfiguration { $0.limits.outboxBytes = 1_000 }) { running in
            let connection = try await running.connect()
            let id = try await running.handler.opened()
            running.server.send(Payload([UInt8](repeating: 0x78, count: 1_000)), to: [id])
            #expect(await connection.nextMessage()?.count == 1_000)
            running.server.send(Payload([UInt8](repeating: 0x78, count: 1_001)), to: [id])
            #expect(await connection.end() == .byPeer(code: 4002, text: "reader too slow"))
        }
    }

    @Test func `aborts a reader that never reads again`() async throws {
        let configuration = testConfiguration {
            $0.limits.outboxBytes = 8 << 20
            $0.timing.close = .milliseconds(100)
        }
        try await withServer(configuration) { running in
            let stuck = try await RawPeer.open(running.address, receiveBuffer: 4096)
            let id = try await running.handler.opened()
            try await overwhelm(running, id)
            #expect(try await running.handler.cause(of: id) == .byThisEnd(code: 4002))
            // It is undefined whether the close frame still fits into the kernel's buffers; the end follows in either
            // case.
            let told = await stuck.readClose()
            #expect(told == nil || told == 4002)
        }
    }

    @Test func `drops queued messages when the library closes`() async throws {
        try await withServer(testConfiguration { $0.limits.outboxBytes = 64 << 20 }) { running in
            let slow = try await RawPeer.open(running.address, receiveBuffer: 4096)
            let id = try await running.handler.opened()
            // 16 MB are more than the kernel accepts, so some waits in the outbox.
            flood(running, id, frames: 250)
            await slow.write(RawPeer.frame(3, []))
            var frames: [RawPeer.Frame] = []
            while let frame = await slow.readFrame() { frames.append(frame) }
            let data = frames.prefix { $0.opcode == 1 }
            #expect(data.count < 250)
            // After a partially sent frame the library sends nothing more.
            #expect(frames.count - data.count <= 1)
            #expect(try await running.handler.cause(of: id) == .byThisEnd(code: 1002))
        }
    }

    @Test(.proves("10.6")) func `a slow reader receives the latest position and every event`() async throws {
        let configuration = testConfiguration {
            $0.limits.outboxBytes = 64 << 20
            $0.timing.close = .seconds(60)
        }
        try await withServer(configuration) { running in
            let slow = try await RawPeer.open(running.address, receiveBuffer: 4096)
            let id = try await running.handler.opened()
            // 16 MB are more than the kernel accepts, so later frames wait in the outbox.
            flood(running, id, frames: 250)
            for number in 0..<100 {
                running.server.send(Payload("position \(number)"), to: [id], as: .superseding(slot: 1, lanes: 1))
                running.server.send(Payload("event \(number)"), to: [id])
            }
            running.server.close(id, .normal)
            var texts: [String] = []
            while let frame = await slow.readFrame(), frame.opcode == 1 {
                if frame.payload.count < 100 { texts.append(String(decoding: frame.payload, as: UTF8.self)) }
            }
            #expect(texts.filter { $0.hasPrefix("event") } == (0..<100).map { "event \($0)" })
            #expect(texts.filter { $0.hasPrefix("position") } == ["position 99"])
        }
    }

    @Test func `two threads share the port, and a payload reaches connections of both`() async throws {
        try await withServer(threads: ServiceThreads(count: 2)) { running in
            var connections: [ClientConnection] = []
            // The system spreads connections by a hash of their ports: enough of them reach both.
            for _ in 0..<40 { connections.append(try await running.connect(["test.binary"])) }
            let ids = await running.handler.events.wait { $0.openedIDs.count == 40 }.openedIDs
            #expect(Set(ids.map(\.thread)) == [0, 1])
            for number in 0..<200 { running.server.send(Payload("\(number)"), to: ids) }
            for connection in connections {
                var count = 0
                for await event in connection.incoming {
                    #expect(event == .message(Array("\(count)".utf8), isText: false))
                    count += 1
                    if count == 200 { break }
                }
            }
        }
    }

    // MARK: - Inbound

    @Test func `pauses reading while messages are unprocessed`() async throws {
        let configuration = testConfiguration { $0.limits.inboundFrames = 8 }
        try await withServer(configuration) { running in
            let connection = try await running.connect()
            let id = try await running.handler.opened()
            for number in 0..<200 { connection.send(Array("\(number)".utf8), isText: true) }
            await running.handler.events.wait { $0.messages.count == 8 }
            // A second connection's round trip gives the first time to continue, which it must not.
            let other = try await running.connect()
            other.send([0x78], isText: true)
            await running.handler.events.wait { $0.messages.contains([0x78]) }
            #expect(running.handler.events.all.messages.count == 9)
            // The handler reports each message as processed until all were received.
            var told = 0
            while told < 200 {
                let messages = running.handler.events.all.messages.filter { $0 != [0x78] }
                for message in messages[told...] { running.server.processed(id, bytes: message.count) }
                told = messages.count
                let known = told
                if known < 200 {
                    await running.handler.events.wait { $0.messages.count { $0 != [0x78] } > known }
                }
            }
            let texts = running.handler.events.all.messages.filter { $0 != [0x78] }
            #expect(texts == (0..<200).map { Array("\($0)".utf8) })
        }
    }

    @Test func `a client that consumes slowly stops reading and loses nothing`() async throws {
        var client = ClientConfiguration()
        client.limits.inboundFrames = 4
        let configuration = testConfiguration { $0.limits.outboxFrames = 5000 }
        try await withServer(configuration, client: client) { running in
            let connection = try await running.connect()
            let id = try await running.handler.opened()
            for number in 0..<2000 { running.server.send(Payload("\(number)"), to: [id]) }
            running.server.close(id, .normal)
            var received: [ClientEvent] = []
            for await event in connection.incoming {
                received.append(event)
                await Task.yield()
            }
            let expected = (0..<2000).map { ClientEvent.message(Array("\($0)".utf8), isText: true) }
            #expect(received.dropLast() == expected[...])
            #expect(received.last == .closed(.byPeer(code: 1000, text: "")))
        }
    }

    @Test func `one thread's handler can answer from within`() async throws {
        let box = Guarded<WebSocketServer?>(nil)
        let handler = RecordingHandler(onReceive: { id, bytes in
            let server = box.withLock { $0 }
            server?.send(Payload(bytes.reversed()), to: [id])
            server?.processed(id, bytes: bytes.count)
        })
        try await withServer(handler: handler) { running in
            box.withLock { $0 = running.server }
            let connection = try await running.connect(["test.binary"])
            for number: UInt8 in 0..<100 {
                connection.send([number, 1], isText: false)
                #expect(await connection.nextMessage() == [1, number])
            }
            box.withLock { $0 = nil }
        }
    }
}
