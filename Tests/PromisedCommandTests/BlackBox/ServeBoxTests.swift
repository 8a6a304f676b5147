import Foundation
import Testing

@Suite("The built binary serves", .tags(.realTime), .serialized, .timeLimit(.minutes(2)))
struct ServeBoxTests {
    @Test func `protects its key, rejects a second server and stops cleanly`() async throws {
        try await withTemporaryFolder { folder in
            let server = try await ServerProcess.start(data: folder)
            let key = try FileManager.default.attributesOfItem(atPath: folder + "/signing.key")
            #expect((key[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            let second = try BinaryRun(["serve", "--data", folder, "--listen", "127.0.0.1:0"])
            #expect(await second.exitCode() == 1)
            let sameport = try BinaryRun([
                "serve", "--data", folder + "-other", "--listen", "127.0.0.1:\(server.port)",
            ])
            #expect(await sameport.exitCode() == 1)
            let told = await sameport.errors.reduce(into: []) { $0.append($1) }.filter { $0.hasPrefix("promised: ") }
            let reason = "Address already in use (errno 98); another program uses this port"
            let advice = "stop it, or choose another port with --listen."
            #expect(told == ["promised: Cannot listen on 127.0.0.1:\(server.port): \(reason); \(advice)"])
            let inside = try BinaryRun(["serve", "--data", folder + "/signing.key/data", "--listen", "127.0.0.1:0"])
            #expect(await inside.exitCode() == 1)
            let why = "Cannot open the data directory \(folder)/signing.key/data: Not a directory (errno 20)"
            let answered = await inside.errors.reduce(into: []) { $0.append($1) }.filter { $0.hasPrefix("promised: ") }
            #expect(answered == ["promised: \(why)"])
            #expect(!FileManager.default.fileExists(atPath: folder + "-other"))
            server.run.terminate()
            #expect(await server.run.exitCode() == 0)
            #expect(await server.run.wholeOutput().isEmpty)
        }
    }

    @Test func `prints the page's address only on a terminal`() async throws {
        try await withTemporaryFolder { folder in
            let terminal = try Terminal()
            let run = try BinaryRun(["serve", "--data", folder, "--listen", "127.0.0.1:0"], errors: terminal.end)
            let line = try #require(await run.output.first { _ in true })
            let address = line.dropFirst("listening on ".count)
            #expect(terminal.text(until: "Ctrl-C").contains("The page: http://\(address)/ (sign up there)"))
            run.terminate()
            #expect(await run.exitCode() == 0)
            let server = try await ServerProcess.start(data: folder)
            server.run.terminate()
            #expect(await !server.run.errors.contains { $0.contains("The page") })
        }
    }

    @Test func `stops cleanly as soon as it listens`() async throws {
        try await withTemporaryFolder { folder in
            let server = try await ServerProcess.start(data: folder)
            server.run.terminate()
            #expect(await server.run.exitCode() == 0)
        }
    }

    @Test(arguments: [
        ["serve", "--listen", "127.0.0.1:99999"], ["serve", "--set", "window.before=-1s"], ["serve", "--nonsense"],
        ["replay"], ["demo", "--participants", "3"],
    ])
    func `an error in the command line or the configuration exits with 2`(arguments: [String]) async throws {
        let run = try BinaryRun(arguments)
        #expect(await run.exitCode() == 2)
        #expect(await run.wholeOutput().isEmpty)
        #expect(await !run.errors.reduce("", +).isEmpty)
    }

    @Test(arguments: [
        (["serv"], #""promised" has no subcommand "serv"; did you mean serve?"#),
        (["help", "serv"], #""promised" has no subcommand "serv"; did you mean serve?"#),
        (["token", "lst"], #""promised token" has no subcommand "lst"; did you mean list?"#),
        (["help", "token", "lst"], #""promised token" has no subcommand "lst"; did you mean list?"#),
    ])
    func `suggests the nearest subcommand`(arguments: [String], sentence: String) async throws {
        let run = try BinaryRun(arguments)
        let told = await run.errors.reduce(into: []) { $0.append($1) }
        #expect(await run.wholeOutput().isEmpty)
        #expect(await run.exitCode() == 2)
        #expect(told.first == "promised: \(sentence)")
    }

    @Test func `a folder without tracks exits with 1`() async throws {
        let run = try BinaryRun([
            "replay", "--tracks", "/nonexistent", "--place", "0,0", "--meets-at", "2026-01-01T00:00:00Z",
        ])
        #expect(await run.exitCode() == 1)
    }
}
