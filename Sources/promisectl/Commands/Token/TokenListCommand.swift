import ArgumentParser
import PromisedClient

/// `promisectl token list`.
struct TokenListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the administrators' tokens, newest first, without their secrets.",
        discussion: "Example: promisectl token list"
    )

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        .tokens(try await administration.ask(.listTokens()))
    }
}
