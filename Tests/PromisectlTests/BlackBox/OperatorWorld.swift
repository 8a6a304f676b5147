import Foundation
import Logging
import PromisedClient
import PromisedWebSocketTransport
import Testing

/// A server built from the tree and promisectl, each in a separate process.
struct OperatorWorld: Sendable {
    /// The outcome of one run of promisectl.
    struct Outcome: Sendable {
        let code: Int32
        let output: String
        let errors: String
    }

    /// The server's data directory, as the tests see it.
    let folder: String
    let port: Int
    let server: ToolRun

    var url: String { "ws://127.0.0.1:\(port)/ws" }
    var tokenFile: String { folder + "/admin.token" }

    /// An unused path in the temporary folder.
    static func temporaryPath() -> String { NSTemporaryDirectory() + "promisectl-box-" + UUID().uuidString }

    /// Runs `body` against a server whose minutes pass in seconds where `rate` is 60, then stops it.
    ///
    /// - Parameters:
    ///   - folder: its data directory, which is removed at the end.
    ///   - more: further settings, `KEY=VALUE`.
    ///   - sandbox: where the server runs; nil: where the tests do.
    static func with(
        rate: Int = 1,
        folder: String = temporaryPath(),
        settings more: [String] = [],
        in sandbox: Sandbox? = nil,
        _ body: (OperatorWorld) async throws -> Void
    ) async throws {
        defer {
            // A temporary folder: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: folder)
        }
        let windows = ["window.before=1m", "window.after=1m", "window.settle=1s"]
        let settings = ["passwords.scrypt-log2-n=10"] + windows + more
        let serve =
            ["serve", "--data", folder, "--listen", "127.0.0.1:0", "--clock-rate", "\(rate)"]
            + settings.flatMap { ["--set", $0] }
        let server = try sandbox?.start(.promised, serve) ?? ToolRun(.promised, serve)
        do {
            let port = try await port(of: server)
            let seen = sandbox.map { $0.path(folder, of: server) } ?? folder
            try await body(OperatorWorld(folder: seen, port: port, server: server))
        } catch {
            server.signal(SIGKILL)
            throw error
        }
        server.signal(SIGTERM)
        #expect(await server.exitCode() == 0)
    }

    private static func port(of server: ToolRun) async throws -> Int {
        for await line in server.output {
            guard line.hasPrefix("listening on 127.0.0.1:"), let colon = line.lastIndex(of: ":"),
                let port = Int(line[line.index(after: colon)...])
            else { break }
            return port
        }
        throw NotListening()
    }

    struct NotListening: Error {}

    /// Starts promisectl with this server's address and token, which the arguments may override.
    func start(_ arguments: [String], environment: [String: String] = [:], input: String = "") throws -> ToolRun {
        let mine = ["PROMISED_URL": url, "PROMISED_TOKEN_FILE": tokenFile]
        return try ToolRun(
            .promisectl,
            arguments,
            environment: mine.merging(environment) { _, new in new },
            input: input
        )
    }

    /// Runs promisectl to its end.
    func run(_ arguments: [String], environment: [String: String] = [:], input: String = "") async throws -> Outcome {
        await Self.outcome(of: try start(arguments, environment: environment, input: input))
    }

    /// The outcome of a run, once it has ended.
    static func outcome(of run: ToolRun) async -> Outcome {
        async let errors = run.errors.reduce(into: "") { $0 += $1 + "\n" }
        let output = await run.output.reduce(into: "") { $0 += $1 + "\n" }
        return Outcome(code: await run.exitCode(), output: output, errors: await errors)
    }

    /// Runs promisectl, which must succeed.
    @discardableResult
    func output(of arguments: [String], input: String = "") async throws -> String {
        let outcome = try await run(arguments, input: input)
        try #require(outcome.code == 0, "\(arguments): \(outcome.errors)")
        return outcome.output
    }

    /// Runs `body` with a connection signed in as a user of ``makeUser(_:)``.
    func signedIn<Value: Sendable>(
        as nickname: String,
        _ body: @Sendable @escaping (PromisedClient) async throws -> Value
    ) async throws -> Value {
        try await connected { client in
            _ = try await client.signIn(email: "\(nickname)@example.org", password: "correct horse")
            return try await body(client)
        }
    }

    /// Runs `body` with a connection without a sign-in.
    func connected<Value: Sendable>(
        _ body: @Sendable @escaping (PromisedClient) async throws -> Value
    ) async throws -> Value {
        let address = try #require(ServerAddress(url))
        var log = Logger(label: "promisectl-tests")
        log.logLevel = .critical
        let client = PromisedClient(
            settings: ClientSettings(address: address),
            transport: WebSocketTransport(log: log),
            log: log
        )
        return try await withThrowingTaskGroup { group in
            group.addTask { await client.run() }
            let value = try await body(client)
            await client.close()
            try await group.waitForAll()
            return value
        }
    }

    /// Creates an account whose address contains its nickname.
    func makeUser(_ nickname: String) async throws {
        let arguments = ["user", "create", "--nickname", nickname, "--email", "\(nickname)@example.org"]
        try await output(of: arguments + ["--password-stdin"], input: "correct horse\n")
    }
}
