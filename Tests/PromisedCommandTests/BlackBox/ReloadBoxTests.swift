import Foundation
import Logging
import PromisedTransport
import Testing

/// SIGHUP and the certificate, with the built binary.
@Suite("The built binary reads its certificate again", .tags(.realTime), .serialized, .timeLimit(.minutes(3)))
struct ReloadBoxTests {
    private static let openssl = "/usr/bin/openssl"
    private static let canRun = FileManager.default.isExecutableFile(atPath: openssl)

    /// Makes a certificate for `localhost` and its key in the folder.
    private func makeCertificate(_ name: String, in folder: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.openssl)
        process.arguments = [
            "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:P-256", "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(folder)/key.pem",
            "-out",
            "\(folder)/certificate.pem",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// A connection of a new client that trusts only the certificate in that file; nil on failure.
    private func connect(_ client: WebSocketClient, port: Int) async -> ClientConnection? {
        let request = ClientRequest(host: "localhost", port: UInt16(port), usesTLS: true)
        do throws(TransportError) {
            return try await client.connect(request)
        } catch {
            return nil
        }
    }

    private func client(trusting file: String) -> WebSocketClient {
        var configuration = ClientConfiguration()
        configuration.authoritiesFile = file
        return WebSocketClient(configuration: configuration, logger: .init(label: "test"))
    }

    @Test(.enabled(if: canRun, "the openssl command is not installed"))
    func `reloads at SIGHUP under open connections, and keeps the old one if the new one is invalid`() async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try makeCertificate("old", in: folder)
            try FileManager.default.copyItem(atPath: folder + "/certificate.pem", toPath: folder + "/old.pem")
            let server = try await ServerProcess.start(
                data: folder + "/data",
                settings: [
                    "tls.certificate=\(folder)/certificate.pem", "tls.key=\(folder)/key.pem", "connection.sign-in=2m",
                ]
            )
            let old = client(trusting: folder + "/old.pem")
            let standing = try #require(await connect(old, port: server.port))

            try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder + "/certificate.pem"))
            server.run.send(SIGHUP)
            #expect(await server.run.logs("Certificate could not be reloaded; the old one stays in use"))
            #expect(await connect(old, port: server.port) != nil)

            try makeCertificate("new", in: folder)
            server.run.send(SIGHUP)
            #expect(await server.run.logs("Certificate reloaded"))
            let new = client(trusting: folder + "/certificate.pem")
            // The service thread uses the new certificate a moment after the log line.
            while await connect(new, port: server.port) == nil, !Task.isCancelled { await Task.yield() }
            let late = client(trusting: folder + "/old.pem")
            #expect(await connect(late, port: server.port) == nil)

            standing.send(Array(#"{"id":1,"getMe":{}}"#.utf8), isText: true)
            var events = standing.incoming.makeAsyncIterator()
            guard case .message = await events.next() else {
                Issue.record("the connection that stood did not go on")
                return
            }
            for client in [old, new, late] { await client.shutdown(timeout: .zero) }
            server.run.terminate()
            #expect(await server.run.exitCode() == 0)
        }
    }

    @Test(arguments: [
        (["tls.certificate=/nonexistent.pem", "tls.key=/nonexistent.pem"], 1), (["tls.key=/nonexistent.pem"], 2),
        (["tls.certificate=/nonexistent.pem"], 2),
    ])
    func `rejects a start with missing files`(settings: [String], code: Int) async throws {
        try await withTemporaryFolder { folder in
            let arguments = ["serve", "--data", folder, "--listen", "127.0.0.1:0"]
            let run = try BinaryRun(arguments + settings.flatMap { ["--set", $0] })
            #expect(await run.exitCode() == Int32(code))
            #expect(await run.errors.reduce("", +).contains("nonexistent") || code == 2)
        }
    }

    @Test func `ignores the signal without TLS`() async throws {
        try await withTemporaryFolder { folder in
            let server = try await ServerProcess.start(data: folder)
            server.run.send(SIGHUP)
            #expect(await server.run.logs("SIGHUP has no effect without TLS"))
            server.run.terminate()
            #expect(await server.run.exitCode() == 0)
        }
    }
}

extension BinaryRun {
    /// Waits for a further line of standard error; `true` if one contains this text.
    fileprivate func logs(_ text: String) async -> Bool {
        for await line in errors where line.contains(text) { return true }
        return false
    }
}
