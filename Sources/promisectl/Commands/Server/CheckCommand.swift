import ArgumentParser
import PromisedClient

/// `promisectl check`.
struct CheckCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "See whether a server is reachable and speaks the protocol, and how fast it answers.",
        discussion: """
            Needs no token; `doctor` looks at more. One attempt of at most 5 seconds. \
            Example: promisectl check --url ws://127.0.0.1:8080/ws
            """
    )

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        let address = try server.address(in: context)
        let finding = try await context.connector.knock(at: address, authoritiesFile: server.authorities)
        try output.tell(.check(address, finding), on: context.console)
        return .done
    }
}
