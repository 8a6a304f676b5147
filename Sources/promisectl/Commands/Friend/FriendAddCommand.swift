import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl friend add`.
struct FriendAddCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make two users friends at once.",
        discussion: "Example: promisectl friend add ada bob"
    )

    @Argument(help: "One user: an id, a nickname or an e-mail.")
    var user: String

    @Argument(help: "The other user.")
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
        let done = try await administration.ask(.addFriends(one.user.userID, two.user.userID))
        return .done(done, "\(one.label) and \(two.label) are friends")
    }
}
