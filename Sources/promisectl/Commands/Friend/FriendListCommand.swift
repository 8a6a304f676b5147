import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl friend list`.
struct FriendListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List somebody's friends.",
        discussion: "Example: promisectl friend list ada"
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.")
    var user: String

    @OptionGroup var limits: LimitOptions

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        let page: WireFriends = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listFriends(of: found.user.userID, cursor: cursor, limit: limit)
        }
        return .friends(page)
    }
}
