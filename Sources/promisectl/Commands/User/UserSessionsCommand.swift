import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl user sessions`.
struct UserSessionsCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "Show where somebody is signed in and connected.",
        discussion: "Example: promisectl user sessions ada"
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
        return .userSessions(try await administration.ask(.listUserSessions(of: found.user.userID)))
    }
}
