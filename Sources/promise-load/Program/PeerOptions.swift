import ArgumentParser
import Foundation
import PromisedClient

struct PeerOptions: ParsableArguments {
    @Option(help: "A running server, such as ws://127.0.0.1:8080/ws; needs --tokens.") var server: String?

    @Option(help: "With --server: the token file that 'promised seed' wrote for its data directory.")
    var tokens: String?

    @Option(help: "With --server: the id of its process on this machine, to measure CPU time and memory.")
    var serverPid: Int32?

    @Option(help: "With --server wss://…: a PEM file of trusted certificate authorities.") var authority: String?
    @Flag(help: "Start the server with TLS and a temporary certificate (needs openssl).") var tls = false

    @Option(name: .customLong("set"), help: "A setting of the started server, KEY=VALUE; repeatable.")
    var settings: [String] = []

    @Option(help: "The promised executable; default: the one beside this executable.") var promised: String?
    @Option(help: "Start this relay instead of a server, as a baseline.") var relay: String?

    func validate() throws {
        if let server {
            guard ServerAddress(server) != nil else {
                throw ValidationError("\(server) is not the URL of a server: use ws:// or wss://")
            }
            guard tokens != nil, relay == nil else {
                throw ValidationError("--server needs --tokens and excludes --relay")
            }
            guard !tls, settings.isEmpty else {
                throw ValidationError("--tls and --set need a server started by this program: leave out --server")
            }
        } else {
            guard tokens == nil, serverPid == nil, authority == nil else {
                throw ValidationError("--tokens, --server-pid and --authority need --server")
            }
        }
        guard relay == nil || !tls && settings.isEmpty && promised == nil else {
            throw ValidationError("--relay excludes --tls, --set and --promised")
        }
    }

    /// The peer, started unless it is already running.
    func stage(_ load: LoadOptions, background: BackgroundPlan) async throws -> Stage {
        if let relay { return try await Stage.relay(relay) }
        if let server { return Stage(server: server, pid: serverPid, tokensFile: tokens, authority: authority) }
        var request = Stage.PeerRequest(
            executable: promised ?? Executable.beside("promised"),
            users: load.connections + background.accounts,
            members: load.members,
            usesTLS: tls,
            length: load.length + background.preparation
        )
        if load.period.duration >= .seconds(1) {
            request.settings = ["report.interval=\(load.period.duration.wholeMicroseconds / 1_000)ms"]
        }
        request.settings += settings
        return try await Stage.promised(request)
    }
}

/// The path of this program.
enum Executable {
    static var path: String {
        // The kernel's path is right even if the program was found through a search path.
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    /// The path of another executable in the same folder.
    static func beside(_ name: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(name).path
    }
}
