import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl friend requests`.
struct FriendRequestsCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List somebody's open friend requests.",
        discussion: "Example: promisectl friend requests ada"
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
        let page: WireFriendRequests = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listFriendRequests(of: found.user.userID, cursor: cursor, limit: limit)
        }
        return .friendRequests(page)
    }
}
