import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl user list`.
struct UserListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List accounts, ascending by nickname.",
        discussion: "Example: promisectl user list --text ada --json"
    )

    @Option(help: ArgumentHelp("Only those whose nickname or e-mail contains this, in any case.", valueName: "text"))
    var text: String?

    @Flag(help: "Only those that are disabled.")
    var disabled = false

    @OptionGroup var limits: LimitOptions

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let page: WireAdminUsers = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listUsers(text: text, disabled: disabled, cursor: cursor, limit: limit)
        }
        return .users(page)
    }
}
