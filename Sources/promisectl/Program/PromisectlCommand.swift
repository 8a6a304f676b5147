import ArgumentParser
import Foundation

/// The operator's command line.
@main
struct PromisectlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promisectl",
        abstract: "Administer a running promised server.",
        discussion: """
            Connects to a server over WebSocket with an administrator's token. Name users by id, nickname or e-mail. Prints \
            tables; --json prints one document, --jsonl one line per item. Colours appear only on a terminal and never with \
            NO_COLOR. Example: promisectl --help; promisectl help user create.

            \(ExitStatus.help)
            """,
        version: "promisectl \(ProgramVersion.text)",
        subcommands: [
            UserCommand.self,
            FriendCommand.self,
            PromiseCommand.self,
            SessionCommand.self,
            PlaceCommand.self,
            WeatherCommand.self,
            CourseCommand.self,
            FileCommand.self,
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

    /// Runs the process's command line and exits with its status.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let invocation = Invocation(root: PromisectlCommand.self, arguments: arguments, context: .system)
        Foundation.exit(await invocation.run().rawValue)
    }
}

struct CompletionCommand: OperatorCommand {
    /// A shell that completes words.
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        fileprivate var completion: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print a completion script for a shell.",
        discussion: "Example: promisectl completion bash > /usr/share/bash-completion/completions/promisectl"
    )

    @Argument(help: "The shell.") var shell: Shell

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        context.console.write(PromisectlCommand.completionScript(for: shell.completion) + "\n")
        return .done
    }
}

struct VersionCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print this program's version.",
        discussion: "`stats` shows the server's version. Example: promisectl version --json"
    )

    @OptionGroup var output: OutputOptions

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        let version = ["version": ProgramVersion.text]
        try output.tell(Report(Document(version)) { _ in "promisectl \(ProgramVersion.text)" }, on: context.console)
        return .done
    }
}
