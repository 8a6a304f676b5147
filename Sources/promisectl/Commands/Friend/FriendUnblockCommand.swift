import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl friend unblock`.
struct FriendUnblockCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Take a block back; it restores nothing.",
        discussion: "Example: promisectl friend unblock ada bob"
    )

    @Argument(help: "Who blocks: an id, a nickname or an e-mail.")
    var user: String

    @Argument(help: "Who is blocked.")
    var other: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let one = try await administration.user(named: user)
        let two = try await administration.user(named: other)
        let done = try await administration.ask(.unblockUser(for: one.user.userID, two.user.userID))
        return .done(done, "\(one.label) no longer blocks \(two.label)")
    }
}
