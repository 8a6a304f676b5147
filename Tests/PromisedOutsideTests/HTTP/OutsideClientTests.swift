import NIOHTTP1
import PromisedDomain
import PromisedTestMarks
import Testing

@testable import PromisedOutside

@Suite(
    "The client outside",
    .tags(.realTime),
    .timeLimit(.minutes(1)),
    .enabled(if: ServerCertificate.canBeMade, "the openssl command is missing")
)
struct OutsideClientTests {
    private static func manners(
        _ server: FakeServer,
        trust: ServerCertificate?,
        host: String = "localhost"
    ) throws
        -> (OutsideManners, OutsideURL)
    {
        let url = try OutsideURL("https://\(host):\(server.port)/v1")
        var manners = OutsideManners(product: "promised", version: "1.2.3", contact: "ops@example.org", services: [url])
        manners.trustFile = trust?.certificate
        return (manners, url)
    }

    /// Runs a client against a server with the given answers.
    private func exchange(
        timeout: Duration = .seconds(10),
        modifiedSince: String? = nil,
        _ answer: @escaping @Sendable (FakeServer.Request) -> FakeServer.Reply
    ) async throws -> (outcome: Result<OutsideReply, OutsideError>, requests: [FakeServer.Request]) {
        let certificate = try ServerCertificate()
        let server = try await FakeServer.start(certificate, answer: answer)
        var (manners, url) = try Self.manners(server, trust: certificate)
        manners.timeout = timeout
        let client = OutsideClient(manners)
        let outcome = await outcome(
            client,
            OutsideRequest(url, path: "/x", query: [("a", "b")], modifiedSince: modifiedSince)
        )
        try await client.shutdown()
        try await server.stop()
        return (outcome, server.requests)
    }

    private func outcome(_ client: OutsideClient, _ request: OutsideRequest) async -> Result<OutsideReply, OutsideError>
    {
        do {
            return .success(try await client.fetch(request))
        } catch {
            return .failure(error)
        }
    }

    private func failure(_ outcome: Result<OutsideReply, OutsideError>) -> OutsideError? {
        if case .failure(let error) = outcome { error } else { nil }
    }

    @Test func `sends the server's name and reads the reply with its headers`() async throws {
        let headers = [
            ("Date", "Fri, 20 Nov 2026 20:30:00 GMT"), ("Expires", "Fri, 20 Nov 2026 21:02:00 GMT"),
            ("Last-Modified", "Fri, 20 Nov 2026 20:02:11 GMT"), ("Retry-After", "90"), ("Set-Cookie", "a=b"),
        ]
        let (outcome, requests) = try await exchange(modifiedSince: "Fri, 20 Nov 2026 19:00:00 GMT") { _ in
            .whole(headers: headers, body: Array("{}".utf8))
        }
        let reply = try outcome.get()
        #expect(reply.status == 200 && reply.body == Array("{}".utf8))
        #expect(reply.lastModified == "Fri, 20 Nov 2026 20:02:11 GMT")
        #expect(reply.freshFor == .minutes(32) && reply.retryAfter == .seconds(90))
        let request = try #require(requests.first)
        #expect(request.uri == "/v1/x?a=b")
        #expect(request.headers["User-Agent"] == ["promised/1.2.3 (ops@example.org)"])
        #expect(request.headers["If-Modified-Since"] == ["Fri, 20 Nov 2026 19:00:00 GMT"])
        #expect(
            Set(request.headers.map { $0.name.lowercased() }) == ["host", "user-agent", "accept", "if-modified-since"]
        )
    }

    /// The `Date` of a reply, if any, and the time from it to 21:01:00; the clock here shows 20:30:00.
    struct OwnDate: Sendable {
        var date: String?
        var span: TimeSpan
    }

    static let ownDates = [
        OwnDate(date: nil, span: .minutes(31)),
        OwnDate(date: "yesterday", span: .minutes(31)),
        OwnDate(date: "Fri, 20 Nov 2026 20:00:00 GMT", span: .minutes(61)),
        OwnDate(date: "Fri, 20 Nov 2026 21:02:00 GMT", span: .zero),
    ]

    @Test(arguments: ownDates)
    func `reads dates relative to the reply's own, or else to the local clock`(_ row: OwnDate) async throws {
        let date = "Fri, 20 Nov 2026 21:01:00 GMT"
        let headers = [("Expires", date), ("Retry-After", date)] + (row.date.map { [("Date", $0)] } ?? [])
        let (outcome, _) = try await exchange { _ in .whole(status: 503, headers: headers) }
        let reply = try outcome.get()
        #expect(reply.freshFor == row.span && reply.retryAfter == row.span)
    }

    @Test(arguments: [304, 401, 404, 429, 500, 503])
    func `returns every status unchanged`(status: Int) async throws {
        let (outcome, requests) = try await exchange { _ in .whole(status: status, headers: [("Retry-After", "7")]) }
        let reply = try outcome.get()
        #expect(reply.status == status && reply.retryAfter == .seconds(7))
        #expect(reply.lastModified == nil && reply.freshFor == nil)
        #expect(requests.count == 1)
    }

    @Test(arguments: [301, 302, 307, 308])
    func `does not follow redirects`(status: Int) async throws {
        let (outcome, requests) = try await exchange { _ in
            .whole(status: status, headers: [("Location", "https://localhost/elsewhere")])
        }
        #expect(try outcome.get().status == status)
        #expect(requests.count == 1)
    }

    @Test func `a late answer is a timeout`() async throws {
        let (outcome, _) = try await exchange(timeout: .milliseconds(300)) { _ in .silent }
        #expect(failure(outcome) == .timedOut)
    }

    @Test func `an unfinished reply is a timeout`() async throws {
        let (outcome, _) = try await exchange(timeout: .milliseconds(300)) { _ in .begun }
        #expect(failure(outcome) == .timedOut)
    }

    @Test(.defends("faulty-provider")) func `rejects an endless body at a megabyte`() async throws {
        let (outcome, _) = try await exchange { _ in .endless }
        #expect(failure(outcome) == .tooLarge)
    }

    @Test func `accepts a body of a megabyte and rejects one byte more`() async throws {
        let (whole, _) = try await exchange { _ in .whole(body: Array(repeating: 0x20, count: 1 << 20)) }
        #expect(try whole.get().body.count == 1 << 20)
        let (larger, _) = try await exchange { _ in .whole(body: Array(repeating: 0x20, count: 1 << 20 + 1)) }
        #expect(failure(larger) == .tooLarge)
    }

    @Test func `rejects an oversized body by its announced length`() async throws {
        let (outcome, _) = try await exchange { _ in
            .whole(headers: [("Content-Length", "1048577")], body: [0x20])
        }
        #expect(failure(outcome) == .tooLarge)
    }

    @Test(.defends("provider-learns-places")) func `rejects an untrusted certificate`() async throws {
        let server = try await FakeServer.start(ServerCertificate()) { _ in .whole() }
        let (manners, url) = try Self.manners(server, trust: nil)
        let client = OutsideClient(manners)
        #expect(failure(await outcome(client, OutsideRequest(url, query: []))) == .certificate)
        try await client.shutdown()
        try await server.stop()
        #expect(server.requests.isEmpty)
    }

    @Test func `rejects a certificate for another name`() async throws {
        let certificate = try ServerCertificate(host: "weather.example")
        let server = try await FakeServer.start(certificate) { _ in .whole() }
        let (manners, url) = try Self.manners(server, trust: certificate)
        let client = OutsideClient(manners)
        #expect(failure(await outcome(client, OutsideRequest(url, query: []))) == .certificate)
        try await client.shutdown()
        try await server.stop()
        #expect(server.requests.isEmpty)
    }

    @Test(.defends("request-forgery")) func `connects only to configured hosts`() async throws {
        let certificate = try ServerCertificate()
        let server = try await FakeServer.start(certificate) { _ in .whole() }
        let (manners, _) = try Self.manners(server, trust: certificate)
        let client = OutsideClient(manners)
        for other in ["https://127.0.0.1:\(server.port)", "https://localhost:1", "https://example.org"] {
            let request = OutsideRequest(try OutsideURL(other), query: [])
            #expect(failure(await outcome(client, request)) == .hostNotAllowed)
        }
        try await client.shutdown()
        try await server.stop()
        #expect(server.requests.isEmpty)
    }

    @Test func `a port without a listener is unreachable`() async throws {
        let certificate = try ServerCertificate()
        let server = try await FakeServer.start(certificate) { _ in .whole() }
        let (manners, url) = try Self.manners(server, trust: certificate)
        try await server.stop()
        let client = OutsideClient(manners)
        guard case .unreachable = failure(await outcome(client, OutsideRequest(url, query: []))) else {
            Issue.record("The port still has a listener")
            return try await client.shutdown()
        }
        try await client.shutdown()
    }

    @Test func `four requests run at a time`() async throws {
        let certificate = try ServerCertificate()
        let server = try await FakeServer.start(certificate) { _ in .held }
        let (manners, url) = try Self.manners(server, trust: certificate)
        let client = OutsideClient(manners)
        await withTaskGroup(of: Result<OutsideReply, OutsideError>.self) { group in
            for _ in 0..<20 { group.addTask { await self.outcome(client, OutsideRequest(url, query: [])) } }
            var arrivals = server.arrivals.makeAsyncIterator()
            for _ in 0..<5 {
                for _ in 0..<4 { await arrivals.next() }
                server.release()
            }
            for await outcome in group { #expect(failure(outcome) == nil) }
        }
        #expect(server.requests.count == 20 && server.peak == 4)
        try await client.shutdown()
        try await server.stop()
    }

    @Test func `a cancelled call has no reply`() async throws {
        let certificate = try ServerCertificate()
        let server = try await FakeServer.start(certificate) { _ in .silent }
        let (manners, url) = try Self.manners(server, trust: certificate)
        let client = OutsideClient(manners)
        let asking = Task { await self.outcome(client, OutsideRequest(url, query: [])) }
        var arrivals = server.arrivals.makeAsyncIterator()
        await arrivals.next()
        asking.cancel()
        #expect(failure(await asking.value) == .cancelled)
        try await client.shutdown()
        try await server.stop()
    }

    @Test func `the User-Agent holds no control characters`() {
        let manners = OutsideManners(product: "promised", version: "1", contact: "a\r\nX: y\u{7f}é", services: [])
        #expect(manners.userAgent == "promised/1 (aX: y)")
        #expect(OutsideManners(product: "promised", version: "1", contact: "", services: []).userAgent == "promised/1")
    }
}
