import ArgumentParser
import Foundation

/// The operator's command line.
@main
struct PromisectlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promisectl",
        abstract: "Look after a promised server from outside.",
        discussion: """
            Speaks to a running server over its WebSocket with an administrator's token. Users are named by id, nickname or \
            e-mail. Prints tables for people, --json one document, --jsonl a line for each thing found; colours only on a \
            terminal, and none with NO_COLOR. Example: promisectl --help; promisectl help user create.

            \(ExitStatus.help)
            """,
        version: "promisectl \(ProgramVersion.text)",
        subcommands: [
            UserCommand.self,
            FriendCommand.self,
            PromiseCommand.self,
            SessionCommand.self,
            TokenCommand.self,
            StatsCommand.self,
            AuditCommand.self,
            CheckCommand.self,
            DoctorCommand.self,
            BackupCommand.self,
            VerifyCommand.self,
            CompletionCommand.self,
            VersionCommand.self,
        ]
    )

    /// Runs the process's command line and ends the process with what came of it.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let invocation = Invocation(root: PromisectlCommand.self, arguments: arguments, context: .system)
        Foundation.exit(await invocation.run().rawValue)
    }
}
