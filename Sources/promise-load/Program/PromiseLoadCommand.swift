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
        abstract: "Load a server with many simulated phones and measure its latency, CPU time and memory.",
        discussion: """
            Without --server, starts the promised executable beside this one in a process of its own, with users, friends and promises in a \
            temporary database. Every phone reports once per period; latency counts from the time at which a report was due, not from the time \
            at which it was sent. Prints its progress, and checks the messages to clients: ranks, one arrival per participant, no positions for \
            outsiders, no gap in the events. Exit codes: 0 success, 1 a delivery is missing, a check or an --expect failed, 2 the command line \
            is invalid, 3 the run failed to start or to finish.

            --expect compares a number of the JSON document, named by its path, with <=, >=, ==, < or >; an unknown number fails.

            --uploads, --recordings and --export add background users: their photos, points and errors are in the report, \
            and the phones' latencies tell what that costs them. The disk needs 40 MB for each user who uploads, and three times the photos \
            of the export.

            Example: promise-load --connections 10000 --duration 60s --expect 'deliveryLatencyMs.p99<=350'
            """
    )

    @OptionGroup(title: "Load")
    var load: LoadOptions

    @OptionGroup(title: "Background users")
    var background: BackgroundOptions

    @OptionGroup(title: "Server")
    var peer: PeerOptions

    @Flag(help: "Print one JSON document on standard output, everything else on standard error.") var json = false

    @Option(help: "A condition on a number of the JSON document, such as 'missing==0'; repeatable.")
    var expect: [Expectation] = []

    @Flag(help: .hidden) var worker = false

    func validate() throws {
        guard background.plan.accounts > 0 else { return }
        guard peer.relay == nil else {
            throw ValidationError("--relay excludes --uploads, --recordings and --export")
        }
        // Background users have their own promises: a phone must know all members of its promise.
        guard load.connections.isMultiple(of: load.members) else {
            throw ValidationError(
                "with --uploads, --recordings or --export, --connections must be a multiple of --members"
            )
        }
    }

    /// Parses and runs; exits with 2 for any error in the command line instead of the parser's own 64.
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
        let stage = try await peer.stage(load, background: background.plan)
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
            outcome = .success(try await measure(run, on: stage, order, log: log))
        } catch {
            outcome = .failure(error)
        }
        await stage.end()
        return try outcome.get()
    }

    private func measure(
        _ run: LoadRun,
        on stage: Stage,
        _ order: WorkOrder,
        log: Logger
    ) async throws -> LoadReport {
        let others = background.plan.accounts > 0 ? try BackgroundWork(background.plan, after: order, log: log) : nil
        let outcome: Result<LoadReport, any Error>
        do {
            outcome = .success(try await run.measure(stage, background: others) { try workers(for: order, log: log) })
        } catch {
            outcome = .failure(error)
        }
        await others?.end()
        return try outcome.get()
    }

    private func workers(for order: WorkOrder, log: Logger) throws -> any LoadWorkers {
        let processes = load.processCount(background: background.plan.accounts)
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
