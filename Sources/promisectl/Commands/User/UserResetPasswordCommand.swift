import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl user reset-password`.
struct UserResetPasswordCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-password",
        abstract: "Give an account another password and end all its sessions.",
        discussion: """
            Without a password the server makes one, which is shown once. Example: promisectl user \
            reset-password ada --yes
            """
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.")
    var user: String

    @OptionGroup var password: PasswordOptions

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let secret = try password.password(in: context)
        let found = try await administration.user(named: user)
        try confirmation.confirm("reset the password of \(found.label)", in: context)
        let reply = try await administration.ask(.resetPassword(of: found.user.userID, to: secret))
        return .password(reply, of: found)
    }
}
