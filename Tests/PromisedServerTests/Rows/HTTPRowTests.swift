import PromisedClient
import PromisedServer
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Plain HTTP on the port of the WebSockets (docs/protocol.md#http).
@Suite("HTTP", .timeLimit(.minutes(2)))
struct HTTPRowTests {
    private static func answer(_ request: String, _ world: ServerWorld) async throws -> String {
        let peer = try RawPeer(world.listening)
        await peer.write("\(request) HTTP/1.1\r\nHost: \(world.address.host)\r\n\r\n")
        return String(decoding: await peer.readToEnd(), as: UTF8.self)
    }

    @Test(
        .proves("/healthz", "/readyz", "/version", "any other path", "any other method"),
        arguments: [
            ("GET /", 200, "\r\nContent-Type: text/html; charset=utf-8\r\n"),
            ("GET /healthz", 200, "\r\n\r\nalive\n"),
            ("GET /readyz", 200, "\r\n\r\nready\n"),
            ("GET /version", 200, #""protocols":["promised.v1.json","promised.v1.protobuf"]"#),
            ("GET /version", 200, #"{"name":"promised","version":""#),
            ("GET /nowhere", 404, "not found"),
            ("GET /healthz/", 404, "not found"),
            ("GET /assets/../etc/passwd", 404, "not found"),
            ("GET /ws", 426, "\r\nUpgrade: websocket\r\n"),
            ("GET /ws", 426, "\r\nConnection: Upgrade\r\n"),
            ("GET /ws", 426, "\r\nSec-WebSocket-Version: 13\r\n"),
            ("GET /ws", 426, "\r\nSec-WebSocket-Protocol: promised.v1.json, promised.v1.protobuf\r\n"),
            ("GET /ws?token=x", 426, "This address is for WebSockets"),
            ("GET /ws/", 404, "not found"),
            ("GET /wsx", 404, "not found"),
            ("POST /ws", 405, "Allow: GET, HEAD"),
            ("POST /healthz", 405, "Allow: GET, HEAD"),
            ("PUT /", 405, "Allow: GET, HEAD"),
            ("DELETE /version", 405, "Allow: GET, HEAD"),
            ("POST /nowhere", 405, "Allow: GET, HEAD"),
        ]
    )
    func `answers each path as documented`(request: String, status: Int, part: String) async throws {
        try await ServerWorld.with { world in
            let answer = try await Self.answer(request, world)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            #expect(answer.contains(part))
            #expect(answer.contains("\r\nConnection: close\r\n"))
        }
    }

    @Test(.proves("any other method"), arguments: ["/", "/healthz", "/readyz", "/version", "/nowhere", "/ws"])
    func `answers a HEAD like a GET without its body`(path: String) async throws {
        try await ServerWorld.with { world in
            let whole = try await Self.answer("GET \(path)", world)
            let head = try await Self.answer("HEAD \(path)", world)
            let end = try #require(whole.firstRange(of: "\r\n\r\n")).upperBound
            #expect(head == String(whole[..<end]))
            #expect(end < whole.endIndex)
        }
    }

    @Test(.proves("/")) func `the server's page forbids foreign content and is revalidated`() async throws {
        try await ServerWorld.with { world in
            let answer = try await Self.answer("GET /", world)
            for header in [
                "X-Content-Type-Options: nosniff", "Cache-Control: no-cache", "Content-Security-Policy: default-src ",
            ] {
                #expect(answer.contains("\r\n\(header)"))
            }
        }
    }
}
