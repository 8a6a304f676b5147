import ArgumentParser
import PromisedClient

/// `promisectl user create`.
struct UserCreateCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an account.",
        discussion: """
            Example: promisectl user create --nickname ada --email ada@example.org --password-stdin < \
            password.txt
            """
    )

    @Option(help: ArgumentHelp("2 to 20 letters, digits or _; unique in any case.", valueName: "name"))
    var nickname: String

    @Option(help: ArgumentHelp("Unique in any case.", valueName: "address"))
    var email: String

    @OptionGroup var password: PasswordOptions

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        guard let secret = try password.password(in: context) else {
            throw .usage("a password is needed: --password-stdin or --password")
        }
        let made = try await administration.ask(.createUser(nickname: nickname, email: email, password: secret))
        return .user(made)
    }
}
