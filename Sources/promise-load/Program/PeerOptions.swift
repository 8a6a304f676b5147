import ArgumentParser
import Foundation
import PromisedClient

/// The peer under load.
struct PeerOptions: ParsableArguments {
    @Option(help: "A server that runs already, such as ws://127.0.0.1:8080/ws; needs --tokens.")
    var server: String?

    @Option(help: "With --server: the file 'promised seed' wrote for its data directory.")
    var tokens: String?

    @Option(help: "With --server: its process on this machine, to measure what it uses.")
    var serverPid: Int32?

    @Option(help: "With --server wss://…: a file of trusted authorities (PEM).")
    var authority: String?

    @Flag(help: "Start the server with TLS and a certificate made for the run (needs openssl).")
    var tls = false

    @Option(name: .customLong("set"), help: "A setting of the server started, KEY=VALUE; may be given several times.")
    var settings: [String] = []

    @Option(help: "The promised executable; without it the one beside this executable.")
    var promised: String?

    @Option(help: "Start this relay instead of a server: the bare limit the server is compared with.")
    var relay: String?

    func validate() throws {
        if let server {
            guard ServerAddress(server) != nil else { throw ValidationError("\(server) is no URL of a server") }
            guard tokens != nil, relay == nil else { throw ValidationError("--server needs --tokens and no --relay") }
            guard !tls, settings.isEmpty else { throw ValidationError("--tls and --set are for a server started here") }
        } else {
            guard tokens == nil, serverPid == nil, authority == nil else {
                throw ValidationError("--tokens, --server-pid and --authority need --server")
            }
        }
        guard relay == nil || !tls && settings.isEmpty && promised == nil else {
            throw ValidationError("--relay goes with neither --tls, --set nor --promised")
        }
    }

    /// The peer, started unless it runs already.
    func stage(_ load: LoadOptions) async throws -> Stage {
        if let relay { return try await Stage.relay(relay) }
        if let server { return Stage(server: server, pid: serverPid, tokensFile: tokens, authority: authority) }
        var request = Stage.PeerRequest(
            executable: promised ?? Executable.beside("promised"),
            users: load.connections,
            members: load.members,
            usesTLS: tls,
            length: load.length
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
    /// Its own path.
    static var path: String {
        // The kernel's answer is right even if the program was found through a search path.
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    /// The path of another executable in the same folder.
    static func beside(_ name: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(name).path
    }
}
