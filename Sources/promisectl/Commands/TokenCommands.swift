import ArgumentParser
import PromisedClient
import PromisedCommandLine

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Administrators' tokens.",
        subcommands: [TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self]
    )
}

struct TokenCreateCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an administrator's token; it is shown only once.",
        discussion: "Example: promisectl token create --for backups --valid 30d"
    )

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The person or program that uses the token.", valueName: "name")
    )
    var name: String

    @Option(
        help: ArgumentHelp("The period of validity, such as 30d or 12h; default: until revoked.", valueName: "span")
    )
    var valid: SpanArgument?

    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let milliseconds = valid?.milliseconds
        return .newToken(try await administration.ask(.createToken(name: name, validMs: milliseconds)))
    }
}

struct TokenListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the administrators' tokens, newest first, without their secrets.",
        discussion: "Example: promisectl token list"
    )

    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .tokens(try await administration.ask(.listTokens()))
    }
}

struct TokenRevokeCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a token and close its connections.",
        discussion: "Example: promisectl token revoke 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b --yes"
    )

    @Argument(help: "The token's id, from `token list`.", transform: IdentifierArgument.token) var token: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        try options.confirmation.confirm("revoke the token \(token.printable)", in: context)
        return .done(try await administration.ask(.revokeToken(token)), "revoked \(token.printable)")
    }
}
