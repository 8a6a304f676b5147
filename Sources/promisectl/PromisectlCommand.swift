import ArgumentParser

/// The operator's command line.
@main
struct PromisectlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promisectl",
        abstract: "Look after a promised server from outside.",
        discussion: "Exit codes: 0 done, 2 the command line is wrong, 3 the server is unreachable.",
        subcommands: [CheckCommand.self]
    )

    /// Parses and runs, with 2 for every mistake in the command line instead of the parser's own 64.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            let isMistake = exitCode(for: error) == .validationFailure
            if isMistake { print(fullMessage(for: error)) }
            exit(withError: isMistake ? ExitCode(2) : error)
        }
    }
}
