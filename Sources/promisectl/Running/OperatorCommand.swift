import ArgumentParser
import PromisedCommandLine

/// A subcommand that does something.
protocol OperatorCommand: AsyncParsableCommand {
    /// Does it and writes what came of it.
    func perform(in context: Context) async throws(Failure) -> ExitStatus
}

extension OperatorCommand {
    /// Does it on the process's own streams; ``Invocation`` calls ``perform(in:)`` itself.
    func run() async throws {
        throw ExitCode(try await perform(in: .system).rawValue)
    }
}

/// A subcommand that asks a server and tells its answer.
protocol ServerCommand: OperatorCommand {
    /// Which server, and with which token.
    var server: ServerOptions { get }
    /// How the answer is told.
    var output: OutputOptions { get }
    /// Whether to ask before what cannot be taken back. Every subcommand takes the option, so that a script may always
    /// give it.
    var confirmation: ConfirmationOptions { get }
    /// How long one request may take.
    var patience: Duration { get }
    /// Asks whatever is needed.
    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report
    /// Says what is wrong with the command line, before anything is asked.
    func check(in context: Context) throws(Failure)
}

extension ServerCommand {
    var patience: Duration { .seconds(15) }

    func check(in context: Context) throws(Failure) {}

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        try check(in: context)
        let target = try server.target(in: context, patience: patience)
        let administration = try await context.connector.connect(to: target)
        let report: Report
        do throws(Failure) {
            report = try await answer(from: administration, in: context)
        } catch {
            await administration.close()
            throw error
        }
        await administration.close()
        try output.tell(report, on: context.console)
        return report.status
    }
}

/// One run of the program: a command line, and what it lives in.
struct Invocation: Sendable {
    /// The program's root command.
    let root: any ParsableCommand.Type
    /// Without the program's name.
    let arguments: [String]
    /// Where it reads, writes and connects.
    let context: Context

    /// Parses and runs, with 2 for every mistake in the command line instead of the parser's own 64.
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

    /// A group of subcommands alone tells its help.
    private func runGroup(_ group: any ParsableCommand) -> ExitStatus {
        do {
            var group = group
            try group.run()
            return .done
        } catch {
            return tell(error)
        }
    }

    /// What the parser has to say: help and scripts on standard output, mistakes on standard error.
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
