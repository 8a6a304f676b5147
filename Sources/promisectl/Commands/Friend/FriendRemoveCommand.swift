import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl friend remove`.
struct FriendRemoveCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Make two users no longer friends.",
        discussion: "Example: promisectl friend remove ada bob --yes"
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
        try confirmation.confirm("end the friendship of \(one.label) and \(two.label)", in: context)
        let done = try await administration.ask(.removeFriends(one.user.userID, two.user.userID))
        return .done(done, "\(one.label) and \(two.label) are no longer friends")
    }
}
