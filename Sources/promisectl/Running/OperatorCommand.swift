import ArgumentParser
import PromisedCommandLine

/// A subcommand with an action.
protocol OperatorCommand: AsyncParsableCommand {
    /// Runs it and writes its report.
    func perform(in context: Context) async throws(Failure) -> ExitStatus
}

extension OperatorCommand {
    /// Runs it with the process's own streams; ``Invocation`` calls ``perform(in:)`` itself.
    func run() async throws { throw ExitCode(try await perform(in: .system).rawValue) }
}

/// A subcommand that sends requests to a server and reports the reply.
protocol ServerCommand: OperatorCommand {
    var options: ServerCommandOptions { get }
    /// The timeout of one request.
    var patience: Duration { get }
    /// Sends the requests.
    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report
    /// Validates the command line before any request.
    func check(in context: Context) throws(Failure)
}

extension ServerCommand {
    var patience: Duration { .seconds(15) }

    func check(in context: Context) throws(Failure) {}

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        try check(in: context)
        let target = try options.server.target(in: context, patience: patience)
        let administration = try await context.connector.connect(to: target)
        let report: Report
        do throws(Failure) {
            report = try await answer(from: administration, in: context)
        } catch {
            await administration.close()
            throw error
        }
        await administration.close()
        try options.output.tell(report, on: context.console)
        return report.status
    }
}

/// One run of the program: a command line and its context.
struct Invocation: Sendable {
    let root: any ParsableCommand.Type
    /// Without the program's name.
    let arguments: [String]
    /// Its input, output and connections.
    let context: Context

    /// Parses and runs; exits with 2 for any error in the command line instead of the parser's own 64.
    func run() async -> ExitStatus {
        if let mistake = MistypedSubcommand.sentence(in: arguments, of: root.configuration) {
            context.console.warn("promisectl: \(mistake)")
            return .usage
        }
        let command: any ParsableCommand
        do {
            command = try root.parseAsRoot(arguments)
        } catch {
            return tell(error)
        }
        guard let command = command as? any OperatorCommand else { return runGroup(command) }
        do throws(Failure) {
            return try await command.perform(in: context)
        } catch {
            context.console.warn("promisectl: \(error)")
            return error.status
        }
    }

    /// A group of subcommands without a subcommand prints its help.
    private func runGroup(_ group: any ParsableCommand) -> ExitStatus {
        do {
            var group = group
            try group.run()
            return .done
        } catch {
            return tell(error)
        }
    }

    /// Writes the parser's output: help and scripts to standard output, errors to standard error.
    private func tell(_ error: any Error) -> ExitStatus {
        let text = root.fullMessage(for: error)
        guard root.exitCode(for: error) == .success else {
            context.console.warn(text)
            return .usage
        }
        context.console.write(text + "\n")
        return .done
    }
}
