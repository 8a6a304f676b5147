import Foundation
import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import Testing

@Suite(
    .tags(.alone),
    .serialized,
    .enabled(if: TestCertificate.canBeMade, "the openssl command is not installed"),
    .timeLimit(.minutes(2))
)
struct TLSTests {
    /// Runs a test against a server with this certificate and a client that trusts only it.
    private func withTLS(
        _ made: TestCertificate,
        handler: RecordingHandler = RecordingHandler(),
        poll: Bool = false,
        handshake: Duration = .seconds(10),
        answerHeaders: [HTTPHeader] = [],
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let certificate = try TLSCertificate(certificate: made.certificate, key: made.key)
        let configuration = testConfiguration { configuration in
            configuration.certificate = certificate
            configuration.usesPoll = poll
            configuration.timing.handshake = handshake
            configuration.answerHeaders = answerHeaders
            // There are no sign-ins here, and many connections are slow.
            configuration.timing.admission = nil
        }
        try await withServer(configuration, handler: handler, client: trusting(made), body)
    }

    private func trusting(_ made: TestCertificate) -> ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.authoritiesFile = made.certificate
        return configuration
    }

    private func request(to running: RunningServer, host: String = "localhost") -> ClientRequest {
        ClientRequest(host: host, port: running.address.port, usesTLS: true, subprotocols: ["test.binary"])
    }

    /// `true` if a new client that trusts only this certificate gets a connection.
    private func isTrusted(_ made: TestCertificate, by running: RunningServer) async throws -> Bool {
        let client = WebSocketClient(configuration: trusting(made), logger: quiet)
        let outcome: Bool
        do throws(TransportError) {
            _ = try await client.connect(request(to: running))
            outcome = true
        } catch {
            outcome = false
        }
        await client.shutdown(timeout: .zero)
        return outcome
    }

    /// Waits until a new client receives this certificate: the server replaces it asynchronously.
    private func untilShown(_ made: TestCertificate, by running: RunningServer) async throws {
        while try await !isTrusted(made, by: running), !Task.isCancelled { await Task.yield() }
    }

    @Test(arguments: [false, true], [false, true])
    func `sends messages of all sizes both ways`(rsa: Bool, poll: Bool) async throws {
        try await withTLS(try TestCertificate(rsa: rsa), poll: poll) { running in
            let connection = try await running.client.connect(request(to: running))
            let id = try await running.handler.opened()
            running.server.admit(id)
            for count in [1, 1000, 4096, 20_000, 65_536] {
                let message = [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: count)
                running.server.send(Payload(message), to: [id])
                #expect(await connection.nextMessage() == message)
                connection.send(message, isText: false)
                await running.handler.events.wait { $0.messages.last == message }
            }
        }
    }

    @Test func `splits a large batch over several packets, in order`() async throws {
        try await withTLS(try TestCertificate()) { running in
            try await sendTogether(running, over: try await running.client.connect(request(to: running)))
        }
    }

    @Test func `a thousand messages at once arrive in order`() async throws {
        try await withTLS(try TestCertificate()) { running in
            let connection = try await running.client.connect(request(to: running))
            let id = try await running.handler.opened()
            for number in 0..<1000 { running.server.send(Payload("\(number)"), to: [id]) }
            for number in 0..<1000 { #expect(await connection.nextMessage() == Array("\(number)".utf8)) }
        }
    }

    @Test func `gives the peer's address and answers a large page`() async throws {
        let page = String(repeating: "*", count: 200_000)
        let handler = RecordingHandler(onRequest: { .now(.text($0.isLoopback ? page : "")) })
        try await withTLS(try TestCertificate(), handler: handler) { running in
            let answer = try await answer(to: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", from: running)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n" + page))
        }
    }

    @Test(arguments: [
        ("", "direct"), ("X-Forwarded: no\r\nNot-Forwarded: no\r\n", "direct"),
        // The library hides unknown headers, and no other code reads them behind TLS.
        ("Forwarded: for=192.0.2.9\r\n", "direct"),
        ("Forwarded: for=192.0.2.9\r\nX-Real-IP: 192.0.2.9\r\n", "forwarded"),
        ("X-Forwarded-For: 192.0.2.7\r\n", "forwarded"), ("Via: 1.1 proxy\r\n", "forwarded"),
    ])
    func `receives a proxy's headers through TLS`(_ headers: String, _ body: String) async throws {
        let handler = RecordingHandler(onRequest: { .now(.text($0.isForwarded ? "forwarded" : "direct")) })
        try await withTLS(try TestCertificate(), handler: handler) { running in
            let answer = try await answer(to: "GET / HTTP/1.1\r\nHost: x\r\n\(headers)\r\n", from: running)
            #expect(answer.hasSuffix("\r\n\r\n" + body))
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", 200), ("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        ("GET /none HTTP/1.1\r\nHost: x\r\n\r\n", 404), ("POST / HTTP/1.1\r\nHost: x\r\n\r\n", 405),
        ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi", 400),
        ("GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", 426),
    ])
    func `every answer has the common headers`(_ request: String, _ status: Int) async throws {
        let handler = RecordingHandler(onRequest: { .now($0.path == "/" ? .text("page") : .notFound) })
        let header = HTTPHeader("Strict-Transport-Security", "max-age=31536000")
        try await withTLS(try TestCertificate(), handler: handler, answerHeaders: [header]) { running in
            let answer = try await answer(to: request, from: running)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            #expect(answer.contains("\r\nStrict-Transport-Security: max-age=31536000\r\n"))
        }
    }

    /// With a key of the same kind and one of another, because OpenSSL treats those separately.
    @Test(arguments: [false, true])
    func `replaces a certificate under 500 connections without a drop, for new ones`(
        rsa: Bool
    ) async throws {
        let (old, new) = (try TestCertificate(), try TestCertificate(rsa: rsa))
        try await withTLS(old) { running in
            var connections: [ClientConnection] = []
            for _ in 0..<500 { connections.append(try await running.client.connect(request(to: running))) }
            #expect(try await !isTrusted(new, by: running))
            running.server.present(try TLSCertificate(certificate: new.certificate, key: new.key))
            try await untilShown(new, by: running)
            #expect(try await !isTrusted(old, by: running))
            let ids = await running.handler.events.wait { $0.openedIDs.count >= 500 }.openedIDs.prefix(500)
            for id in ids { running.server.send(Payload("still here"), to: [id]) }
            for connection in connections {
                #expect(await connection.nextMessage() == Array("still here".utf8))
                connection.send([1], isText: false)
            }
            await running.handler.events.wait { $0.messages.count == 500 }
            #expect(Set(running.handler.events.all.closedIDs).isDisjoint(with: ids))
        }
    }

    @Test(
        .defends("eavesdropping"),
        arguments: [("-tls1_2", true), ("-tls1_3", true), ("-tls1_1", false), ("-tls1", false)]
    )
    func `accepts only TLS 1.2 and later`(_ version: String, _ isSpoken: Bool) async throws {
        try await withTLS(try TestCertificate()) { running in
            let script =
                "/usr/bin/openssl s_client \(version) -cipher DEFAULT@SECLEVEL=0 -verify_quiet "
                + "-connect localhost:\(running.address.port) </dev/null 2>&1"
            let told = try await shell(script)
            #expect(told.contains("BEGIN CERTIFICATE") == isSpoken, "\(told)")
        }
    }

    @Test(arguments: [("h2", false), ("h2,http/1.1", true), ("http/1.1", true)])
    func `negotiates only HTTP/1.1`(_ offer: String, _ isAgreed: Bool) async throws {
        try await withTLS(try TestCertificate()) { running in
            let script =
                "/usr/bin/openssl s_client -alpn \(offer) -verify_quiet -connect localhost:\(running.address.port) "
                + "</dev/null 2>&1"
            let told = try await shell(script)
            #expect(told.contains("ALPN protocol: http/1.1") == isAgreed, "\(told)")
            #expect(!told.contains("ALPN protocol: h2"), "\(told)")
        }
    }

    @Test func `the client rejects a name missing in the certificate`() async throws {
        try await withTLS(try TestCertificate()) { running in
            let error = await #expect(throws: TransportError.self) {
                try await running.client.connect(request(to: running, host: "127.0.0.1"))
            }
            guard case .connectFailed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `aborts a peer without TLS, at the latest at the handshake's deadline`() async throws {
        try await withTLS(try TestCertificate(), handshake: .milliseconds(200)) { running in
            let (speaker, mute) = (try RawPeer(running.address), try RawPeer(running.address))
            await speaker.write("GET /ws HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await !String(decoding: speaker.readToEnd(), as: UTF8.self).hasPrefix("HTTP"))
            #expect(await mute.readToEnd().isEmpty)
            #expect(running.handler.events.all.isEmpty)
        }
    }

    @Test func `reports unusable files with the reason`() throws {
        let (made, other) = (try TestCertificate(), try TestCertificate())
        let text = try made.file("text.pem", holding: "no certificate\n")
        let whole = try String(contentsOfFile: made.certificate, encoding: .utf8)
        let broken = try made.file("broken.pem", holding: whole + whole.dropLast(40) + "\n")
        let (missing, locked) = ("/nonexistent/file.pem", try made.lockedKey())
        for (certificate, key, culprit) in [
            (missing, made.key, missing), (text, made.key, text), (broken, made.key, broken),
            (made.key, made.key, made.key), (made.certificate, missing, missing), (made.certificate, text, text),
            (made.certificate, locked, locked), (made.certificate, other.key, other.key),
        ] {
            let error = #expect(throws: TransportError.self) {
                try TLSCertificate(certificate: certificate, key: key)
            }
            guard case .badCertificate(culprit, let reason) = error else {
                Issue.record("\(String(describing: error)) for \(culprit)")
                continue
            }
            #expect(!reason.isEmpty)
        }
    }

    @Test func `reads the expiry of a certificate`() throws {
        let made = try TestCertificate()
        let certificate = try TLSCertificate(certificate: made.certificate, key: made.key)
        let left = Double(certificate.expiresAt) - Date().timeIntervalSince1970
        #expect((86_400...2 * 86_400).contains(left))
    }

    @Test func `shows no certificate without TLS`() async throws {
        let made = try TestCertificate()
        try await withServer { running in
            running.server.present(try TLSCertificate(certificate: made.certificate, key: made.key))
            _ = try await running.connect()
        }
    }

    /// The server's response to a request of an outside client.
    private func answer(to request: String, from running: RunningServer) async throws -> String {
        let text = request.replacing("\r\n", with: "\\r\\n")
        return try await shell(
            "printf '%b' '\(text)' | /usr/bin/openssl s_client -quiet -verify_quiet -ign_eof "
                + "-connect localhost:\(running.address.port) 2>/dev/null"
        )
    }

    /// The output of a shell command, run off the cooperative pool.
    private func shell(_ script: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/bin/sh")
                process.arguments = ["-c", script]
                let output = Pipe()
                process.standardOutput = output
                continuation.resume(
                    with: Result {
                        try process.run()
                        let data = output.fileHandleForReading.readDataToEndOfFile()
                        process.waitUntilExit()
                        return String(decoding: data, as: UTF8.self)
                    }
                )
            }
        }
    }
}
