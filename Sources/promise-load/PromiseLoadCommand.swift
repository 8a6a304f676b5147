import ArgumentParser
import Foundation
import Logging
import PromisedClient
import PromisedWire

/// The load generator's command line.
@main
struct PromiseLoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promise-load",
        abstract: "Knock at a running server many times at once and measure how fast it lets people in.",
        discussion: """
            Each visit connects, asks something that needs an account, hears the refusal and leaves. Exit codes: 0 all
            visits were answered, 1 some were not.

            Example: promise-load --server ws://127.0.0.1:8080/ws --connections 5000 --at-once 200
            """
    )

    @Option(help: "The server.")
    var server = "ws://127.0.0.1:8080/ws"

    @Option(help: "How many visits in all.")
    var connections = 1_000

    @Option(help: "How many visits at the same time.")
    var atOnce = 100

    @Option(help: "How messages are written: json or protobuf.")
    var codec = "json"

    func validate() throws {
        guard ServerAddress(server) != nil else { throw ValidationError("\(server) is no URL of a server") }
        guard (1...1_000_000).contains(connections) else {
            throw ValidationError("--connections must be 1 to 1000000")
        }
        guard (1...10_000).contains(atOnce) else { throw ValidationError("--at-once must be 1 to 10000") }
        guard WireCodec(rawValue: codec) != nil else { throw ValidationError("--codec must be json or protobuf") }
    }

    func run() async throws {
        guard let address = ServerAddress(server), let codec = WireCodec(rawValue: codec) else { return }
        var log = Logger(label: "promise-load")
        log.logLevel = .critical
        let knock = ServerKnock(codec: codec, log: log)
        let start = ContinuousClock.now
        let tally = await visits(address, by: knock)
        let elapsed = ContinuousClock.now - start
        await knock.end()
        print(tally.text(elapsed: elapsed))
        if tally.failures > 0 { throw ExitCode.failure }
    }

    private func visits(_ address: ServerAddress, by knock: ServerKnock) async -> VisitTally {
        let total = connections
        let window = min(atOnce, total)
        return await withTaskGroup(of: ServerKnock.Finding?.self) { group in
            let visit: @Sendable () async -> ServerKnock.Finding? = {
                do throws(ServerKnock.Failure) {
                    return try await knock.visit(address)
                } catch {
                    return nil
                }
            }
            for _ in 0..<window { group.addTask { await visit() } }
            var begun = window
            var tally = VisitTally()
            while let finding = await group.next() {
                tally.count(finding)
                if begun < total {
                    begun += 1
                    group.addTask { await visit() }
                }
            }
            return tally
        }
    }
}
