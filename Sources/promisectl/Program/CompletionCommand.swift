import ArgumentParser

/// `promisectl completion`.
struct CompletionCommand: OperatorCommand {
    /// A shell that completes words.
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash
        case zsh
        case fish

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
        abstract: "Print a script that lets a shell complete this program's words.",
        discussion: "Example: promisectl completion bash > /usr/share/bash-completion/completions/promisectl"
    )

    @Argument(help: "The shell.")
    var shell: Shell

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        context.console.write(PromisectlCommand.completionScript(for: shell.completion) + "\n")
        return .done
    }
}
