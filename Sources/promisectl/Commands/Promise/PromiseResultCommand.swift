import ArgumentParser
import PromisedClient

/// `promisectl promise result`.
struct PromiseResultCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "result",
        abstract: "Show the final table.",
        discussion: "Example: promisectl promise result 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b"
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise)
    var promise: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        .result(try await administration.ask(.getResult(of: promise)))
    }
}
