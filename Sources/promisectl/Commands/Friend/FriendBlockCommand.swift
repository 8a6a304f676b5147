import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl friend block`.
struct FriendBlockCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Block one user for another; it ends their friendship.",
        discussion: "Example: promisectl friend block ada bob --yes"
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
        try confirmation.confirm("block \(two.label) for \(one.label)", in: context)
        let done = try await administration.ask(.blockUser(for: one.user.userID, two.user.userID))
        return .done(done, "\(one.label) blocks \(two.label)")
    }
}
