import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LimitTests {
    struct Size: Sendable, CustomTestStringConvertible {
        let count: Int
        let isAdmitted: Bool
        let fits: Bool
        var testDescription: String { "\(count) bytes, \(isAdmitted ? "admitted" : "not admitted")" }
    }

    @Test(arguments: [
        Size(count: 4095, isAdmitted: false, fits: true),
        Size(count: 4096, isAdmitted: false, fits: true),
        Size(count: 4097, isAdmitted: false, fits: false),
        Size(count: 65535, isAdmitted: true, fits: true),
        Size(count: 65536, isAdmitted: true, fits: true),
        Size(count: 65537, isAdmitted: true, fits: false),
    ])
    func `limits a message to 4 KiB before sign-in and 64 KiB after, and closes larger ones with 1009`(
        _ size: Size
    ) async throws {
        try await withServer { running in
            let connection = try await running.connect()
            let id = try await running.handler.opened()
            if size.isAdmitted {
                running.server.admit(id)
                // The server handles requests in order: once the greeting has arrived, the limit is lifted.
                running.server.send(Payload("welcome"), to: [id])
                #expect(await connection.nextMessage() == Array("welcome".utf8))
            }
            let message = [UInt8](repeating: UInt8(ascii: "x"), count: size.count)
            connection.send(message, isText: true)
            if size.fits {
                await running.handler.events.wait { $0.messages == [message] }
            } else {
                #expect(await connection.end() == .byPeer(code: 1009, text: "message too large"))
                #expect(try await running.handler.cause(of: id) == .byThisEnd(code: 1009))
                #expect(running.handler.events.all.messages.isEmpty)
            }
        }
    }

    @Test(.defends("giant-frames")) func `closes a frame by its excessive announced length`() async throws {
        try await withServer { running in
            let peer = try await RawPeer.open(running.address)
            let huge = RawPeer.frame(1, [UInt8](repeating: 0x78, count: 5000))
            await peer.write(Array(huge.prefix(100)))
            #expect(await peer.readClose() == 1009)
        }
    }

    @Test(arguments: [UInt64(1) << 62, UInt64.max >> 1])
    func `closes a frame with a nearly maximal announced length`(_ length: UInt64) async throws {
        try await withServer { running in
            let peer = try await RawPeer.open(running.address)
            let digits = (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
            await peer.write([0x81, 0xFF] + digits + [1, 2, 3, 4, 5, 6, 7, 8])
            #expect(await peer.readClose() == 1009)
        }
    }

    // MARK: - Fragments

    @Test func `assembles a message of many pieces with a ping among them`() async throws {
        try await withServer { running in
            let peer = try await RawPeer.open(running.address)
            let text = Array("in pieces: äöü".utf8)
            var bytes: [UInt8] = []
            for (index, byte) in text.enumerated() {
                let isLast = index == text.count - 1
                bytes += RawPeer.frame(index == 0 ? 1 : 0, [byte], isFinal: isLast)
                if index == 5 { bytes += RawPeer.frame(9, Array("p".utf8)) }
            }
            for byte in bytes { await peer.write([byte]) }
            await running.handler.events.wait { $0.messages == [text] }
            #expect(await peer.readFrame() == RawPeer.Frame(opcode: 10, payload: Array("p".utf8)))
        }
    }

    @Test(.defends("giant-frames")) func `closes fragments of an excessive total with 1009`() async throws {
        try await withServer { running in
            let peer = try await RawPeer.open(running.address)
            let piece = [UInt8](repeating: 0x78, count: 2048)
            await peer.write(RawPeer.frame(1, piece, isFinal: false) + RawPeer.frame(0, piece, isFinal: false))
            await peer.write(RawPeer.frame(0, [0x78]))
            #expect(await peer.readClose() == 1009)
        }
    }

    @Test func `assembles messages larger than the library's buffer, and empty ones`() async throws {
        try await withServer { running in
            let peer = try await RawPeer.open(running.address)
            let large = (0..<4000).map { UInt8(0x61 + $0 % 26) }
            await peer.write(RawPeer.frame(1, large) + RawPeer.frame(1, []) + RawPeer.frame(1, Array("end".utf8)))
            await running.handler.events.wait { $0.messages == [large, [], Array("end".utf8)] }
        }
    }

    @Test func `accepts an unmasked frame, which the library cannot reject`() async throws {
        try await withServer { running in
            let peer = try await RawPeer.open(running.address)
            await peer.write(RawPeer.frame(1, Array("plain".utf8), isMasked: false))
            await running.handler.events.wait { $0.messages == [Array("plain".utf8)] }
        }
    }

    // MARK: - Faults

    @Test(
        .proves("10.4"),
        .defends("malformed-frames"),
        arguments: [
            ("text that is not UTF-8", RawPeer.frame(1, [0xFF, 0xFE]), 1007),
            ("an overlong character", RawPeer.frame(1, [0xC0, 0x80]), 1007),
            ("half a character", RawPeer.frame(1, [0xC3]), 1007),
            (
                "half a character before an empty end",
                RawPeer.frame(1, [0xC3], isFinal: false) + RawPeer.frame(0, []), 1007
            ),
            ("binary where text is spoken", RawPeer.frame(2, [1, 2, 3]), 4502),
            ("a reserved opcode", RawPeer.frame(3, []), 1002),
            ("a continuation of nothing", RawPeer.frame(0, [0x78]), 1002),
            ("a message within a message", RawPeer.frame(1, [0x78], isFinal: false) + RawPeer.frame(1, [0x78]), 1002),
            ("a ping in pieces", RawPeer.frame(9, [0x78], isFinal: false), 1002),
            ("a reserved bit", [0xC1, 0x81, 0, 0, 0, 0, 0x78], 1002),
            ("half a close code", RawPeer.frame(8, [3]), 1002),
            ("a close reason that ends within a character", RawPeer.frame(8, [0x0F, 0xA0, 0xC3]), 1007),
        ] as [(String, [UInt8], UInt16)]
    )
    func `closes an invalid frame with its code`(_ name: String, _ bytes: [UInt8], _ code: UInt16) async throws {
        try await withServer { running in
            let peer = try await RawPeer.open(running.address)
            let id = try await running.handler.opened()
            await peer.write(bytes)
            #expect(await peer.readClose() == code)
            await peer.write(RawPeer.closeFrame(code))
            // In the middle of a faulty frame the library may find another fault in the answer to its close frame.
            let cause = try await running.handler.cause(of: id)
            #expect([.byThisEnd(code: code), .byThisEnd(code: 1007)].contains(cause))
            #expect(running.handler.events.all.messages.isEmpty)
        }
    }

    @Test(.proves("10.3", "4502")) func `closes text on a binary sub-protocol with 4502`() async throws {
        try await withServer { running in
            let connection = try await running.connect(["test.binary"])
            connection.send([1, 2], isText: false)
            connection.send(Array("text".utf8), isText: true)
            #expect(await connection.end()?.code == 4502)
            #expect(running.handler.events.all.messages == [[1, 2]])
        }
    }

    @Test func `aborts a connection for a long control frame`() async throws {
        try await withServer { running in
            let peer = try await RawPeer.open(running.address)
            let id = try await running.handler.opened()
            await peer.write(RawPeer.frame(9, [UInt8](repeating: 0, count: 126)))
            #expect(await peer.readClose() == nil)
            #expect(try await running.handler.cause(of: id) == .lost)
        }
    }
}
