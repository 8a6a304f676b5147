import ArgumentParser
import Foundation
import Logging
import PromisedClient
import PromisedProtocol

/// The load generator's command line.
@main
struct PromiseLoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promise-load",
        abstract: "Put a server under the load of many phones and measure how it bears it.",
        discussion: """
            Without --server a server is started for the run: the promised executable beside this one, in a process of its own, with users, friends \
            and promises seeded into a temporary database. Every phone reports once in a period; latency counts from when a report was due, not \
            from when it was sent. While it runs it tells how far it is, and what clients are told is checked: ranks, one arrival each, \
            nobody outside, no gap in the events. Exit codes: 0 all well, 1 something due is missing, something was wrong or an --expect failed, \
            2 the command line is wrong, 3 the run could not be made.

            --expect compares a number of the JSON document by its path with <=, >=, ==, < or >; one that is not known fails.

            Example: promise-load --connections 10000 --duration 60s --expect 'deliveryLatencyMs.p99<=350'
            """
    )

    @OptionGroup(title: "Load")
    var load: LoadOptions

    @OptionGroup(title: "Server")
    var peer: PeerOptions

    @Flag(help: "Print one JSON document on standard output, everything else on standard error.")
    var json = false

    @Option(help: "What a number of the JSON document must be, such as 'missing==0'; may be given several times.")
    var expect: [Expectation] = []

    @Flag(help: .hidden)
    var worker = false

    /// Parses and runs; exits with 2 for any mistake in the command line instead of the parser's own 64.
    static func main() async {
        do {
            let command = try parseAsRoot()
            guard var command = command as? PromiseLoadCommand else { exit(withError: CleanExit.helpRequest()) }
            try await command.run()
        } catch {
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            StatusOutput.tell(fullMessage(for: error))
            exit(withError: ExitCode(2))
        }
    }

    mutating func run() async throws {
        var log = Logger(label: "promise-load")
        log.logLevel = .critical
        let report: LoadReport
        do {
            if worker { return try await Worker.run(log: log) }
            report = try await measure(log: log)
        } catch {
            StatusOutput.tell("promise-load: \(error)")
            throw ExitCode(3)
        }
        try tell(report)
    }

    // MARK: - Internals

    private func measure(log: Logger) async throws -> LoadReport {
        let plan = load.plan(relay: peer.relay != nil)
        let stage = try await peer.stage(load)
        let outcome: Result<LoadReport, any Error>
        do {
            let run = LoadRun(plan: plan, connections: load.connections, members: load.members)
            let order = WorkOrder(
                plan: plan,
                server: stage.server,
                tokensFile: stage.tokensFile,
                connections: load.connections,
                members: load.members,
                authority: stage.authority
            )
            outcome = .success(try await run.measure(stage) { try workers(for: order, log: log) })
        } catch {
            outcome = .failure(error)
        }
        await stage.end()
        return try outcome.get()
    }

    private func workers(for order: WorkOrder, log: Logger) throws -> any LoadWorkers {
        let processes = load.processCount
        guard processes > 1 else { return try LocalWorkers(order, log: log) }
        return try ProcessWorkers(order, parts: processes, executable: Executable.path)
    }

    private func tell(_ report: LoadReport) throws {
        if json {
            StatusOutput.tell(report.table())
            FileHandle.standardOutput.write(try report.json() + Data("\n".utf8))
        } else {
            print(report.table())
        }
        let numbers = try report.numbers()
        let failures = expect.compactMap { $0.failure(in: numbers) }
        for failure in failures { StatusOutput.tell(failure) }
        guard failures.isEmpty, report.isClean else { throw ExitCode.failure }
    }
}
