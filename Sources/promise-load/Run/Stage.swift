import Foundation

/// The peer of a run: a server or relay started for it in its own directory, or one that is already running.
final class Stage: Sendable {
    /// How to start the peer.
    struct PeerRequest: Hashable, Sendable {
        var executable: String
        /// Server settings, KEY=VALUE.
        var settings: [String] = []
        var users: Int
        /// The number of people per promise.
        var members: Int
        var usesTLS = false
        /// The longest time of the run: tokens and promises last longer.
        var length: Duration
    }

    let server: String
    /// The peer's process; nil if unknown.
    let pid: Int32?
    /// The token file; nil for a relay.
    let tokensFile: String?
    /// A PEM file of trusted authorities; nil for the system's.
    let authority: String?
    private let child: ChildProcess?
    private let directory: String?

    /// A peer that is already running.
    init(server: String, pid: Int32?, tokensFile: String?, authority: String?) {
        self.server = server
        self.pid = pid
        self.tokensFile = tokensFile
        self.authority = authority
        child = nil
        directory = nil
    }

    private init(server: String, child: ChildProcess, directory: String, seeded: Bool, authority: String?) {
        self.server = server
        pid = child.pid
        tokensFile = seeded ? directory + "/tokens" : nil
        self.authority = authority
        self.child = child
        self.directory = directory
    }

    /// Seeds a directory and starts a server on it, both with the `promised` executable.
    static func promised(_ request: PeerRequest) async throws -> Stage {
        let directory = try makeDirectory()
        do {
            return try await promised(request, in: directory)
        } catch {
            remove(directory)
            throw error
        }
    }

    /// Starts a relay, which prints the line `listening on HOST:PORT`.
    static func relay(_ executable: String) async throws -> Stage {
        let directory = try makeDirectory()
        do {
            let (child, address) = try await start(executable, ["0"])
            return Stage(server: "ws://\(address)", child: child, directory: directory, seeded: false, authority: nil)
        } catch {
            remove(directory)
            throw error
        }
    }

    /// Stops the started peer, and removes its directory.
    func end() async {
        if let child {
            let status = await child.stop()
            if status != 0 { StatusOutput.tell("the server exited with \(status)") }
        }
        if let directory { Self.remove(directory) }
    }

    // MARK: - Internals

    private static func promised(_ request: PeerRequest, in directory: String) async throws -> Stage {
        let minutes = Int(request.length.inSeconds / 60) + 1
        let seed = try ChildProcess(
            request.executable,
            [
                "seed", "--data", directory + "/data", "--users", "\(request.users)", "--members", "\(request.members)",
                "--tokens", directory + "/tokens", "--lifetime", "\(minutes + 30)m", "--meets-in", "25m",
            ]
        )
        guard await seed.end() == 0 else { throw LoadFailure("promised seed failed; see its output above") }
        var arguments = [
            "serve", "--data", directory + "/data", "--listen", "127.0.0.1:0", "--set", "log.level=warning",
        ]
        for setting in request.settings { arguments += ["--set", setting] }
        if request.usesTLS {
            let (certificate, key) = try await Certificate.make(in: directory)
            arguments += ["--set", "tls.certificate=\(certificate)", "--set", "tls.key=\(key)"]
        }
        let (child, address) = try await start(request.executable, arguments)
        return Stage(
            server: "\(request.usesTLS ? "wss" : "ws")://\(address)",
            child: child,
            directory: directory,
            seeded: true,
            authority: request.usesTLS ? directory + "/certificate.pem" : nil
        )
    }

    private static func start(
        _ executable: String,
        _ arguments: [String]
    ) async throws -> (ChildProcess, address: String) {
        let child = try ChildProcess(executable, arguments)
        guard let line = await child.lines.first(where: { $0.hasPrefix("listening on ") }) else {
            _ = await child.stop()
            throw LoadFailure("\(executable) does not listen; see its output above")
        }
        return (child, String(line.dropFirst("listening on ".count)))
    }

    private static func makeDirectory() throws -> String {
        let path = NSTemporaryDirectory() + "promise-load-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw LoadFailure("cannot create \(path): \(error.localizedDescription)")
        }
        return path
    }

    private static func remove(_ directory: String) {
        do {
            try FileManager.default.removeItem(atPath: directory)
        } catch {
            StatusOutput.tell("cannot remove \(directory): \(error.localizedDescription)")
        }
    }
}
