import PromisedConcurrency
import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(1)))
struct HTTPTests {
    private static let large = [UInt8](repeating: UInt8(ascii: "*"), count: 3_000_000)

    private static let handler = RecordingHandler(onRequest: { request in
        switch request.path {
        case "/healthz": .text("ok\n")
        case "/large": HTTPResponse(status: 200, contentType: "application/octet-stream", body: large)
        case "/busy": HTTPResponse(status: 503, headers: [HTTPHeader("Retry-After", "1")])
        case "/who":
            .text(
                [request.remoteAddress, request.host, request.authorization, request.forwardedFor].words
                    + (request.isForwarded ? " forwarded" : " direct")
            )
        default: .notFound
        }
    })

    private func answer(to request: String) async throws -> String {
        let answer = Guarded("")
        try await withServer(handler: Self.handler) { running in
            let peer = try RawPeer(running.address)
            await peer.write(request)
            let text = String(decoding: await peer.readToEnd(), as: UTF8.self)
            answer.withLock { $0 = text }
        }
        return answer.withLock { $0 }
    }

    @Test(
        .proves("any other path", "any other method"),
        arguments: [
            ("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 200, "ok\n"),
            ("GET /healthz?full=1 HTTP/1.1\r\nHost: x\r\n\r\n", 200, "ok\n"),
            ("GET /%68ealthz HTTP/1.1\r\nHost: x\r\n\r\n", 200, "ok\n"),
            ("HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 200, ""),
            ("GET /busy HTTP/1.1\r\nHost: x\r\n\r\n", 503, ""),
            ("GET /none HTTP/1.1\r\nHost: x\r\n\r\n", 404, "not found\n"),
            ("GET / HTTP/1.0\r\n\r\n", 404, "not found\n"),
            ("GET /ws HTTP/1.1\r\nHost: x\r\n\r\n", 404, "not found\n"),
            ("GET /healthz HTTP/1.2\r\nHost: x\r\n\r\n", 200, "ok\n"),
            ("GET /healthz HTTP/1.0\r\nHost: x\r\n\r\n", 200, "ok\n"),
            ("GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n", 400, ""),
            ("GET /healthz JUNK\r\nHost: x\r\n\r\n", 400, ""),
            ("GET /healthz\r\nHost: x\r\n\r\n", 400, ""),
            ("GET /healthz HTTP/1.1\r\nAccept: */*\r\n\r\n", 400, ""),
            ("GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400, ""),
            ("GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n", 400, ""),
            ("POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi", 405, ""),
            ("PUT /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 405, ""),
            ("DELETE /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 405, ""),
            ("OPTIONS /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 405, ""),
            ("GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi", 400, ""),
            ("GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, ""),
        ]
    )
    func `answers a plain request and closes the connection`(
        _ request: String,
        _ status: Int,
        _ body: String
    ) async throws {
        let answer = try await answer(to: request)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n" + body))
        if status == 405 { #expect(answer.contains("\r\nAllow: GET, HEAD\r\n")) }
        if request.hasPrefix("HEAD") { #expect(answer.contains("\r\nContent-Length: 3\r\n")) }
    }

    @Test func `answers only the first of several requests on a connection`() async throws {
        let request = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"
        let answer = try await answer(to: request + request)
        #expect(answer.components(of: "HTTP/1.1 200") == 1)
    }

    @Test(arguments: [
        ("", "127.0.0.1 x - - direct"),
        ("Authorization: Bearer t\r\n", "127.0.0.1 x Bearer t - direct"),
        ("X-Forwarded-For: 192.0.2.7\r\n", "127.0.0.1 x - 192.0.2.7 forwarded"),
        (
            "X-Forwarded-For: 192.0.2.7, 10.0.0.1\r\nX-Forwarded-For: 10.0.0.2\r\n",
            "127.0.0.1 x - 192.0.2.7, 10.0.0.1,  10.0.0.2 forwarded"
        ),
        ("X-Real-IP: 192.0.2.8\r\n", "127.0.0.1 x - - forwarded"),
        ("Via: 1.1 proxy\r\n", "127.0.0.1 x - - forwarded"),
        ("Forwarded: for=192.0.2.9\r\n", "127.0.0.1 x - - forwarded"),
        ("Accept: */*\r\nfORWARDED:for=192.0.2.9;proto=https\r\n", "127.0.0.1 x - - forwarded"),
        ("X-Forwarded: no\r\nNot-Forwarded: no\r\n", "127.0.0.1 x - - direct"),
        // Each byte beyond ASCII is replaced.
        ("Authorization: Bearer a\u{345}\u{334}\r\n", "127.0.0.1 x Bearer a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD} - direct"),
    ])
    func `gives the handler the peer`(_ headers: String, _ body: String) async throws {
        let answer = try await answer(to: "GET /who HTTP/1.1\r\nHost: x\r\n\(headers)\r\n")
        #expect(answer.hasSuffix("\r\n\r\n" + body))
    }

    @Test func `sends a large answer completely`() async throws {
        try await withServer(handler: Self.handler) { running in
            let peer = try RawPeer(running.address, receiveBuffer: 8192)
            await peer.write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
            let head = await peer.readHead()
            #expect(head.contains("\r\nContent-Length: 3000000\r\n"))
            #expect(await peer.readToEnd() == Self.large)
        }
    }

    @Test(arguments: [("GET", 0), ("GET", 5), ("GET", 3_000_000), ("HEAD", 5), ("HEAD", 3_000_000)])
    func `sends a reply that the handler gives later, from another thread`(_ method: String, _ size: Int) async throws {
        let pending = Signals<@Sendable (HTTPResponse) -> Void>()
        let handler = RecordingHandler(onLateRequest: { _, answer in pending.note(answer) })
        try await withServer(handler: handler) { running in
            let peer = try RawPeer(running.address)
            await peer.write("\(method) /later HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = try await pending.first { $0 }
            // Other connections are served meanwhile.
            _ = try await running.connect()
            answer(HTTPResponse(status: 200, body: Array(Self.large.prefix(size))))
            let head = await peer.readHead()
            #expect(head.hasPrefix("HTTP/1.1 200 ") && head.contains("\r\nContent-Length: \(size)\r\n"))
            #expect(await peer.readToEnd().count == (method == "HEAD" ? 0 : size))
            // A second reply, and one to a peer that is gone, have no effect.
            answer(.notFound)
            _ = try await running.connect()
        }
    }

    @Test func `aborts a request whose reply does not come`() async throws {
        let handler = RecordingHandler(onLateRequest: { _, _ in })
        try await withServer(testConfiguration { $0.timing.response = .milliseconds(50) }, handler: handler) {
            running in
            let peer = try RawPeer(running.address)
            await peer.write("GET /never HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await peer.readToEnd().isEmpty)
        }
    }

    @Test func `aborts a peer that does not read a large response`() async throws {
        let configuration = testConfiguration {
            $0.timing.response = .milliseconds(50)
            $0.timing.admission = .milliseconds(300)
        }
        try await withServer(configuration, handler: Self.handler) { running in
            let peer = try RawPeer(running.address, receiveBuffer: 4096)
            await peer.write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
            // Another connection measures the time: it is closed by its own deadline after that one's.
            _ = await peer.readHead()
            let later = try await running.connect()
            #expect(await later.end()?.code == 4004)
            #expect(await peer.readToEnd().count < Self.large.count)
        }
    }
}

extension [String?] {
    fileprivate var words: String { map { $0 ?? "-" }.joined(separator: " ") }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
