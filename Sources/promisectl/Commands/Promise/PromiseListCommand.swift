import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl promise list`.
struct PromiseListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List promises, descending by meeting time.",
        discussion: "Example: promisectl promise list --status tracking"
    )

    @Option(help: "Only those this user is or was in: an id, a nickname or an e-mail.")
    var user: String?

    @Option(help: "Only those with this status.")
    var status: StatusArgument?

    @OptionGroup var limits: LimitOptions

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        var userID: String?
        if let user { userID = try await administration.user(named: user).user.userID }
        let page: WirePromises = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listPromises(of: userID, status: status?.status ?? .unspecified, cursor: cursor, limit: limit)
        }
        return .promises(page)
    }
}
