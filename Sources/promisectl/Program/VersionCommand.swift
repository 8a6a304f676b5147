import ArgumentParser

/// `promisectl version`.
struct VersionCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print this program's version.",
        discussion: "The server's is in `stats`. Example: promisectl version --json"
    )

    @OptionGroup var output: OutputOptions

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        let version = ["version": ProgramVersion.text]
        try output.tell(Report(Document(version)) { _ in "promisectl \(ProgramVersion.text)" }, on: context.console)
        return .done
    }
}
