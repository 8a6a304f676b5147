import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl promise excuse`.
struct PromiseExcuseCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "excuse",
        abstract: "Do not hold it against somebody.",
        discussion: """
            Example: promisectl promise excuse 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b ada --reason 'train \
            cancelled'
            """
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise)
    var promise: String

    @Argument(help: "The user: an id, a nickname or an e-mail.")
    var user: String

    @Option(help: "Why; it stands in the result.")
    var reason: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        return .result(try await administration.ask(.excuse(found.user.userID, in: promise, reason: reason)))
    }
}
