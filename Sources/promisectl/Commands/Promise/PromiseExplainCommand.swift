import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl promise explain`.
struct PromiseExplainCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show why somebody's arrival counted as it did.",
        discussion: "Example: promisectl promise explain 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b ada"
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise)
    var promise: String

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
        let explanation: WireExplanation = try await administration.pages(upTo: nil) { cursor, _ in
            .explainArrival(of: found.user.userID, in: promise, cursor: cursor)
        }
        return .explanation(explanation)
    }
}
