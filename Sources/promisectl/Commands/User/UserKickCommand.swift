import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl user kick`.
struct UserKickCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "kick",
        abstract: "Close somebody's connections.",
        discussion: "Example: promisectl user kick ada --sign-out --yes"
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.")
    var user: String

    @Flag(help: "End the sign-ins as well, so that they must sign in again.")
    var signOut = false

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        try confirmation.confirm("close the connections of \(found.label)", in: context)
        return .kicked(try await administration.ask(.kickUser(found.user.userID, signOut: signOut)), found)
    }
}
