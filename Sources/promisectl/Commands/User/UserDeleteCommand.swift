import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl user delete`.
struct UserDeleteCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an account as its user would.",
        discussion: """
            Promises not yet over pass to their earliest accepted participant; past results keep their rows. \
            Example: promisectl user delete ada --yes
            """
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
        try confirmation.confirm("delete the user \(found.label) for ever", in: context)
        return .done(try await administration.ask(.deleteUser(found.user.userID)), "deleted \(found.label)")
    }
}
