import Foundation
import Testing

/// A folder in which the commands of a document are run unchanged: the programs are those built with the tests, a
/// server listens on a free port in place of 8080, and its clock starts on the day of the test.
struct ExampleWorld: Sendable {
    /// The first instant of the servers' clock, RFC 3339.
    let start: String
    /// The zone of this machine, as the commands see it.
    let zone: String
    /// `true` if the programs are in the PATH, as after installing the package; otherwise a document builds them
    /// itself.
    private let isInstalled: Bool
    private let folder: String

    /// Runs `body` in a new folder, which is removed afterwards.
    static func with(
        start: String,
        zone: String,
        isInstalled: Bool,
        _ body: (ExampleWorld) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "promised-examples-" + UUID().uuidString
        defer {
            // A temporary folder: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: folder)
        }
        let world = ExampleWorld(start: start, zone: zone, isInstalled: isInstalled, folder: folder)
        try world.furnish()
        try await body(world)
    }

    /// Runs the commands of a document: what stays beside everything that follows, the rest as one script, which ends
    /// at the first command that fails. Where the programs are installed a server runs already.
    ///
    /// - Returns: the output of the script.
    @discardableResult
    func run(_ examples: [Example]) async throws -> String {
        var servers: [ExampleProcess] = []
        defer { for server in servers { server.stop() } }
        var texts = examples.filter { $0.mark == .stays }.map(\.text)
        if isInstalled { texts.append("promised serve --data ./data --listen 127.0.0.1:8080") }
        var port = "8080"
        for text in texts {
            let server = try ExampleProcess("exec \(text)", in: self, port: port)
            servers.append(server)
            let line = try #require(await server.output.first { _ in true }, "\(text) does not say that it listens")
            port = try #require(line.split(separator: ":").last.map(String.init))
        }
        let script = examples.compactMap(Self.script).joined(separator: "\n")
        let process = try ExampleProcess(script, in: self, port: port)
        async let errors = process.errors.reduce(into: "") { $0 += $1 + "\n" }
        let output = await process.output.reduce(into: "") { $0 += $1 + "\n" }
        let code = await process.exitCode()
        let said = await errors
        #expect(code == 0, "\(examples.first?.document ?? "") at \(start): \(said)\(output)")
        for server in servers {
            server.stop()
            #expect(await server.exitCode() == 0)
        }
        return output
    }

    /// The script that a shell runs for an example; nil for an example that does not run.
    private static func script(_ example: Example) -> String? {
        switch example.mark {
        case .run: return example.text
        case .goesOn:
            // Stopped after its first line; 143 is the end by SIGTERM.
            var lines = example.text.split(separator: "\n")
            let last = lines.popLast() ?? ""
            return lines.joined(separator: "\n") + """

                exec {shown}< <(exec \(last)
                )
                going=$!
                read -r line <&"$shown"
                kill -TERM "$going"
                wait "$going" && code=0 || code=$?
                [[ $code == 143 ]]
                """
        case .stays, .notRun, .unknown: return nil
        }
    }

    /// The folder in which the commands run.
    var workFolder: String { folder + "/work" }

    func environment(port: String) -> [String: String] {
        [
            "PATH": (isInstalled ? "\(folder)/bin:" : "") + "/usr/bin:/bin", "HOME": folder + "/home", "TZ": zone,
            "TMPDIR": folder,
            "EXAMPLE_PORT": port, "EXAMPLE_START": start,
            // The variables of an installed server's operator; documents that start a server set them themselves.
            "PROMISED_URL": "ws://127.0.0.1:8080/ws", "PROMISED_TOKEN_FILE": "\(workFolder)/data/admin.token",
        ]
    }

    private func furnish() throws {
        let files = FileManager.default
        for path in ["bin", "home", "work/scripts", "work/.build/debug"] {
            try files.createDirectory(atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
        }
        for name in ["Clients", "Sources", "config", "docs"] {
            let target = Documents.root.appending(path: name).path
            try files.createSymbolicLink(atPath: "\(workFolder)/\(name)", withDestinationPath: target)
        }
        let server = """
            #!/bin/bash
            words=("${@//:8080/:0}")
            if [[ ${1:-} == serve ]]; then
                [[ " $* " == *" --listen "* ]] || words+=(--listen 127.0.0.1:0)
                words+=(--clock-start "$EXAMPLE_START" --clock-rate 60 --set passwords.scrypt-log2-n=10)
            fi
            exec \(Tool.promised.url.path) "${words[@]}"
            """
        for path in ["bin/promised", "work/scripts/run", "work/.build/debug/promised"] { try write(server, to: path) }
        let client = """
            #!/bin/bash
            export PROMISED_URL=${PROMISED_URL//:8080/:$EXAMPLE_PORT}
            exec \(Tool.promisectl.url.path) "$@"
            """
        try write(client, to: "bin/promisectl")
        // Replaces a release build, which takes minutes.
        let build = """
            #!/bin/bash
            [[ $* == promisectl ]] || exit 2
            printf '%s\\n' '\(folder)/bin'
            """
        try write(build, to: "work/scripts/build")
    }

    private func write(_ script: String, to path: String) throws {
        let whole = "\(folder)/\(path)"
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
        try #require(
            FileManager.default.createFile(atPath: whole, contents: Data(script.utf8), attributes: attributes)
        )
    }
}

/// Commands that run in a shell.
final class ExampleProcess: Sendable {
    private let run: ToolRun

    /// Starts a script, which ends at its first command that fails.
    init(_ script: String, in world: ExampleWorld, port: String) throws {
        run = try ToolRun(
            URL(filePath: "/bin/bash"),
            ["-e", "-u", "-o", "pipefail", "-c", script],
            environment: world.environment(port: port),
            folder: world.workFolder
        )
    }

    var output: AsyncStream<String> { run.output }
    var errors: AsyncStream<String> { run.errors }

    func stop() { run.signal(SIGTERM) }

    func exitCode() async -> Int32 { await run.exitCode() }
}
