import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl user show`.
struct UserShowCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one account with its statistics.",
        discussion: "Example: promisectl user show ada@example.org"
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
        return .user(try await administration.ask(.showUser(found.user.userID)))
    }
}
