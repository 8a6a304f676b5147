import ArgumentParser
import PromisedClient

/// `promisectl token revoke`.
struct TokenRevokeCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Make a token invalid and close its connections.",
        discussion: "Example: promisectl token revoke 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b --yes"
    )

    @Argument(help: "The token's id, from `token list`.", transform: IdentifierArgument.token)
    var token: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        try confirmation.confirm("revoke the token \(token.printable)", in: context)
        return .done(try await administration.ask(.revokeToken(token)), "revoked \(token.printable)")
    }
}
