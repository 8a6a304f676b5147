import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl user disable`.
struct UserDisableCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "End all sessions of an account and let it sign in no more.",
        discussion: "Example: promisectl user disable ada --yes"
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
        try confirmation.confirm("disable the user \(found.label)", in: context)
        return .user(try await administration.ask(.disableUser(found.user.userID)))
    }
}
