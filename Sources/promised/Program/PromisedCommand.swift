import ArgumentParser
import PromisedCommandLine
import PromisedServer
import PromisedTransport

/// The server's command line.
@main
struct PromisedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promised",
        abstract: "A real-time meetup server that decides who arrived, and when.",
        discussion: """
            Exit codes: 0 success, 1 failure, 2 the command line or the configuration is invalid.
            """,
        version: ProductVersion.text,
        subcommands: [
            ServeCommand.self, SeedCommand.self, ReplayCommand.self, DemoCommand.self, TokenCommand.self,
            PlaceCommand.self, BackupCommand.self, RestoreCommand.self, MigrateCommand.self, VerifyCommand.self,
            CheckConfigCommand.self,
            PrintDefaultConfigCommand.self, VersionCommand.self,
        ]
    )

    /// Parses and runs; exits with 2 for any error in the command line instead of the parser's own 64.
    static func main() async {
        ProcessMemory.shareHeap()
        if let mistake = MistypedSubcommand.sentence(in: Array(CommandLine.arguments.dropFirst()), of: configuration) {
            StandardError.write("promised: \(mistake)")
            exit(withError: ExitCode(2))
        }
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            let code = exitCode(for: error)
            guard code == .validationFailure else { exit(withError: error) }
            StandardError.write(fullMessage(for: error))
            exit(withError: ExitCode(2))
        }
    }
}

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")

    func run() { print("promised \(ProductVersion.text)") }
}
