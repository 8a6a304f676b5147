import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl user enable`.
struct UserEnableCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Let an account sign in again.",
        discussion: "Example: promisectl user enable ada"
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.")
    var user: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        return .user(try await administration.ask(.enableUser(found.user.userID)))
    }
}
