import ArgumentParser
import PromisedCommandLine

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
