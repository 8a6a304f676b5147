import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(1)))
struct HandshakeTests {
    // MARK: - Sub-protocols

    struct Choice: Sendable, CustomTestStringConvertible {
        let asked: String?
        let answered: String?
        let isText: Bool
        var testDescription: String { asked ?? "none" }
    }

    @Test(arguments: [
        // Without a request: the first offered one, which the response does not name.
        Choice(asked: nil, answered: nil, isText: true),
        Choice(asked: "test.text", answered: "test.text", isText: true),
        Choice(asked: "test.binary", answered: "test.binary", isText: false),
        // The client's order decides.
        Choice(asked: "test.binary, test.text", answered: "test.binary", isText: false),
        Choice(asked: "unknown, test.binary", answered: "test.binary", isText: false),
    ])
    func `the sub-protocol is the first the client asks for and the server offers`(_ choice: Choice) async throws {
        try await withServer { running in
            let peer = try RawPeer(running.address)
            await peer.write(RawPeer.handshake(subprotocol: choice.asked))
            let head = await peer.readHead()
            #expect(head.hasPrefix("HTTP/1.1 101"))
            let named = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-protocol:") }
            #expect(named.map { String($0.dropFirst("sec-websocket-protocol: ".count)) } == choice.answered)
            let id = try await running.handler.opened()
            running.server.send(Payload("x"), to: [id])
            #expect(await peer.readFrame() == RawPeer.Frame(opcode: choice.isText ? 1 : 2, payload: Array("x".utf8)))
        }
    }

    @Test(arguments: ["unknown", "unknown, other", "TEST.TEXT", String(repeating: "a", count: 130) + ", test.text"])
    func `rejects a peer with only other sub-protocols`(_ asked: String) async throws {
        try await expect(RawPeer.handshake(subprotocol: asked), answers: "HTTP/1.1 400")
    }

    @Test func `accepts a list of sub-protocols of 126 bytes and rejects a longer one`() async throws {
        // 37 names of one letter, and one that fills the list up to 126 bytes.
        let others = String(repeating: "a, ", count: 37)
        let fitting = RawPeer.handshake(subprotocol: others + "aaaa, test.text")
        try await expect(fitting, answers: "HTTP/1.1 101", closes: false)
        try await expect(RawPeer.handshake(subprotocol: others + "aaaaa, test.text"), answers: "HTTP/1.1 400")
    }

    // MARK: - Origins

    struct Origin: Sendable {
        let origin: String?
        let host: String
        let isAllowed: Bool
    }

    @Test(arguments: [
        Origin(origin: nil, host: "example.org", isAllowed: true),
        Origin(origin: "https://example.org", host: "example.org", isAllowed: true),
        Origin(origin: "https://EXAMPLE.org", host: "example.ORG", isAllowed: true),
        Origin(origin: "https://example.org", host: "example.org:443", isAllowed: true),
        Origin(origin: "http://example.org:8080", host: "example.org:8080", isAllowed: true),
        Origin(origin: "http://[::1]:8080", host: "[::1]:8080", isAllowed: true),
        Origin(origin: "http://example.org:8081", host: "example.org:8080", isAllowed: false),
        Origin(origin: "http://example.org", host: "example.org:443", isAllowed: false),
        Origin(origin: "https://evil.example", host: "example.org", isAllowed: false),
        Origin(origin: "https://example.org.evil.example", host: "example.org", isAllowed: false),
        Origin(origin: "https://example.org/evil", host: "example.org", isAllowed: false),
        Origin(origin: "null", host: "example.org", isAllowed: false),
        Origin(origin: "", host: "example.org", isAllowed: false),
        Origin(origin: "https://", host: "", isAllowed: false),
        Origin(origin: "file://", host: "example.org", isAllowed: false),
    ])
    func `accepts a page of the same host`(_ row: Origin) {
        #expect(OriginPolicy.sameHost.allows(origin: row.origin, host: row.host) == row.isAllowed)
        #expect(OriginPolicy.any.allows(origin: row.origin, host: row.host))
    }

    @Test func `a list of origins allows its entries and programs`() {
        let policy = OriginPolicy.list(["https://app.example"])
        #expect(policy.allows(origin: "https://APP.example", host: "other"))
        #expect(policy.allows(origin: nil, host: "other"))
        #expect(!policy.allows(origin: "https://other", host: "other"))
    }

    @Test(.defends("cross-origin"))
    func `rejects a page of another host with 403, not of the same host`() async throws {
        let evil = RawPeer.handshake(more: ["Origin: http://evil.example"])
        try await expect(evil, answers: "HTTP/1.1 403")
        let good = RawPeer.handshake(more: ["Origin: http://127.0.0.1"])
        try await expect(good, answers: "HTTP/1.1 101", closes: false)
    }

    // MARK: - Form

    /// A handshake with some words replaced.
    private static func changed(_ words: String, _ others: String) -> String {
        RawPeer.handshake().replacing(words, with: others)
    }

    @Test(
        .proves("10.4"),
        arguments: [
            ("a wrong path", RawPeer.handshake(path: "/other"), "HTTP/1.1 404"),
            ("HTTP/1.0", changed(" HTTP/1.1", " HTTP/1.0"), "HTTP/1.1 400"),
            ("HTTP/2.0", changed(" HTTP/1.1", " HTTP/2.0"), "HTTP/1.1 400"),
            ("no version of HTTP", changed(" HTTP/1.1", ""), "HTTP/1.1 400"),
            ("no host", changed("Host: 127.0.0.1\r\n", ""), "HTTP/1.1 400"),
            ("two hosts", RawPeer.handshake(more: ["Host: example.org"]), "HTTP/1.1 400"),
            ("a part of Connection: Upgrade", RawPeer.handshake(connection: "Up grade"), "HTTP/1.1 400"),
            ("without Connection: Upgrade", RawPeer.handshake(connection: nil), "HTTP/1.1 400"),
            ("with Connection: close", RawPeer.handshake(connection: "close"), "HTTP/1.1 400"),
            ("a longer path", RawPeer.handshake(path: "/ws/x"), "HTTP/1.1 404"),
            ("no version", RawPeer.handshake(version: nil), "HTTP/1.1 426"),
            ("version 8", RawPeer.handshake(version: "8"), "HTTP/1.1 426"),
            ("version 130", RawPeer.handshake(version: "130"), "HTTP/1.1 426"),
            ("no key", RawPeer.handshake(key: nil), "HTTP/1.1 400"),
            ("a short key", RawPeer.handshake(key: "c2hvcnQ="), "HTTP/1.1 400"),
            ("a long key", RawPeer.handshake(key: "dGhlIHNhbXBsZSBub25jZQQQQQ=="), "HTTP/1.1 400"),
            ("a key that is not Base64", RawPeer.handshake(key: "dGhlIHNhbXBsZSBub25jZ!=="), "HTTP/1.1 400"),
            ("a body", RawPeer.handshake(more: ["Content-Length: 5"]), "HTTP/1.1 400"),
            ("a chunked body", RawPeer.handshake(more: ["Transfer-Encoding: chunked"]), "HTTP/1.1 400"),
            ("h2c", RawPeer.handshake(upgrade: "h2c", more: ["HTTP2-Settings: AAMAAABkAAQAAP__"]), "HTTP/1.1 400"),
            // The library itself answers these two.
            ("an unknown upgrade", RawPeer.handshake(upgrade: "unknown"), "HTTP/1.0 403"),
            ("a list of upgrades", RawPeer.handshake(upgrade: "websocket, h2c"), "HTTP/1.0 403"),
        ]
    )
    func `answers an invalid handshake with its status and closes the connection`(
        _ name: String,
        _ request: String,
        _ answer: String
    ) async throws {
        try await expect(request, answers: answer)
    }

    @Test(arguments: [
        ("a tunnel", "CONNECT example.org:80 HTTP/1.1\r\nHost: example.org\r\n\r\n", ""),
        ("HTTP/2 with prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/1.0 403"),
        ("no HTTP", "\u{16}\u{03}\u{01} hello \r\n\r\n", "HTTP/1.0 403"),
    ])
    func `the library closes connections with an unknown protocol`(
        _ name: String,
        _ request: String,
        _ answer: String
    ) async throws {
        try await expect(request, answers: answer)
    }

    @Test func `answers a version other than 13 with the right one`() async throws {
        try await withServer { running in
            let peer = try RawPeer(running.address)
            await peer.write(RawPeer.handshake(version: "7"))
            #expect(await peer.readHead().contains("Sec-WebSocket-Version: 13\r\n"))
        }
    }

    @Test func `closes a kept-alive connection after an unknown upgrade without crashing`() async throws {
        try await withServer { running in
            for _ in 0..<50 {
                let peer = try RawPeer(running.address)
                let bad = "GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: nonsense\r\n\r\n"
                await peer.write(bad + bad + RawPeer.handshake())
                let answer = String(decoding: await peer.readToEnd(), as: UTF8.self)
                #expect(!answer.contains("101"))
            }
            _ = try await running.connect()
        }
    }

    @Test(.defends("slow-loris"))
    func `closes an endless header block at the handshake's deadline`() async throws {
        let configuration = testConfiguration { $0.timing.handshake = .milliseconds(150) }
        try await withServer(configuration) { running in
            let peer = try RawPeer(running.address)
            await peer.write("GET /ws HTTP/1.1\r\nHost: x\r\n")
            #expect(await peer.readToEnd() == [])
            let silent = try RawPeer(running.address)
            #expect(await silent.readToEnd() == [])
        }
    }

    @Test(.defends("slow-loris")) func `rejects headers beyond eight kilobytes`() async throws {
        let long = RawPeer.handshake(more: ["Authorization: Bearer " + String(repeating: "a", count: 9000)])
        try await withServer { running in
            let peer = try RawPeer(running.address)
            await peer.write(long)
            #expect(!String(decoding: await peer.readToEnd(), as: UTF8.self).contains("101"))
        }
        let fitting = RawPeer.handshake(more: ["Authorization: Bearer " + String(repeating: "a", count: 6000)])
        try await expect(fitting, answers: "HTTP/1.1 101", closes: false)
    }

    // MARK: - What the handler learns and decides

    @Test func `gives the handler address, host, origin, authorization and forwarding`() async throws {
        try await withServer { running in
            let peer = try RawPeer(running.address)
            let more = ["Origin: http://127.0.0.1", "Authorization: Bearer abc", "X-Forwarded-For: 192.0.2.1"]
            await peer.write(RawPeer.handshake(more: more))
            let info = try await running.handler.events.first {
                if case .opened(_, let info) = $0 { info } else { nil }
            }
            let expected = HandshakeInfo(
                subprotocol: offered[0],
                remoteAddress: "127.0.0.1",
                host: "127.0.0.1",
                origin: "http://127.0.0.1",
                authorization: "Bearer abc",
                forwardedFor: "192.0.2.1"
            )
            #expect(info == expected)
            #expect(info.isLoopback)
            #expect(!info.description.contains("abc"))
        }
    }

    @Test func `the handler rejects with its own status`() async throws {
        let handler = RecordingHandler(decide: { _ in .refuse(status: 429) })
        try await withServer(handler: handler) { running in
            await #expect(throws: TransportError.handshakeRefused(status: 429)) { try await running.connect() }
        }
    }

    @Test func `rejects handshakes beyond the connection limit until one ends`() async throws {
        try await withServer(testConfiguration { $0.maximumConnections = 2 }) { running in
            let first = try await running.connect()
            _ = try await running.connect()
            await #expect(throws: TransportError.handshakeRefused(status: 503)) { try await running.connect() }
            #expect(running.server.connectionCount == 2)
            first.close()
            await running.handler.events.wait { $0.closedIDs.count == 1 }
            _ = try await running.connect()
        }
    }

    @Test func `receives a frame sent with the handshake`() async throws {
        try await withServer { running in
            let peer = try RawPeer(running.address)
            await peer.write(Array(RawPeer.handshake().utf8) + RawPeer.frame(1, Array("early".utf8)))
            await running.handler.events.wait { $0.messages == [Array("early".utf8)] }
        }
    }

    private func expect(_ request: String, answers answer: String, closes: Bool = true) async throws {
        try await withServer { running in
            let peer = try RawPeer(running.address)
            await peer.write(request)
            let text = closes ? String(decoding: await peer.readToEnd(), as: UTF8.self) : await peer.readHead()
            #expect(answer.isEmpty ? text.isEmpty : text.hasPrefix(answer), "got: \(text)")
            if closes { #expect(running.handler.events.all.isEmpty) }
        }
    }
}
