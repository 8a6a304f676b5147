import Foundation
import Testing

/// The weather providers as one HTTPS server in a separate process (`Tests/Outside/weather.py`), which records each
/// request, and a certificate that a server in ``sandbox`` trusts.
struct FakeProviders: Sendable {
    /// A request as the providers see it.
    struct Request: Decodable, Sendable {
        let method: String
        /// Path and parameters.
        let target: String
        /// The names and values, in order.
        let headers: [[String]]
    }

    struct NotListening: Error {}

    /// `true` if this machine meets the requirements.
    static let isPossible: Bool = {
        let tools = [python, openssl].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
        return tools && Sandbox.trusting("/etc/ssl/certs/ca-certificates.crt").isPermitted
    }()
    /// Why tests are skipped without them.
    static let absence: Comment = "python3, the openssl command or a mount namespace is missing"

    private static let python = "/usr/bin/python3"
    private static let openssl = "/usr/bin/openssl"
    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Outside/weather.py").path

    private let run: ToolRun
    private let port: Int
    /// The sandbox of a server that trusts these providers.
    let sandbox: Sandbox

    /// Starts them, with a certificate in a new folder.
    static func start(in folder: String) async throws -> FakeProviders {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (certificate, key) = (folder + "/certificate.pem", folder + "/key.pem")
        let request = [
            "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate,
            "-addext", "subjectAltName=DNS:localhost", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
        ]
        let made = await OperatorWorld.outcome(of: try ToolRun(URL(filePath: openssl), request))
        try #require(made.code == 0, "\(made.errors)")
        let options = ["-B", script, "--certificate", certificate, "--key", key]
        let run = try ToolRun(URL(filePath: python), options)
        for await line in run.output {
            guard line.hasPrefix("listening "), let port = Int(line.dropFirst("listening ".count)) else { break }
            return FakeProviders(run: run, port: port, sandbox: .trusting(certificate))
        }
        throw NotListening()
    }

    /// The setting `weather.url` that names these providers.
    var addresses: String {
        [("kma", "kma"), ("met-norway", "met"), ("open-meteo", "open-meteo"), ("air", "air")].map { name, path in
            "\(name)=https://localhost:\(port)/\(path)"
        }.joined(separator: ",")
    }

    /// Kills the process and returns the requests, in order. Each was written at once, so none is lost; the process may
    /// have inherited that it ignores other signals.
    func stop() async -> [Request] {
        run.signal(SIGKILL)
        let lines = await run.output.reduce(into: []) { $0.append($1) }
        _ = await run.exitCode()
        return lines.map { line in
            do {
                return try JSONDecoder().decode(Request.self, from: Data(line.utf8))
            } catch {
                Issue.record("The providers said \(line)")
                return Request(method: "", target: line, headers: [])
            }
        }
    }
}
