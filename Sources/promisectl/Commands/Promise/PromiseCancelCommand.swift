import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl promise cancel`.
struct PromiseCancelCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Call a promise off.",
        discussion: "Example: promisectl promise cancel 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b --reason storm --yes"
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise)
    var promise: String

    @Option(help: "Why; the participants are told.")
    var reason = ""

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let found = try await administration.ask(.showPromise(promise)).promise
        try confirmation.confirm("cancel the promise \(found.title.printable)", in: context)
        return .promise(try await administration.ask(.cancelPromise(promise, reason: reason)))
    }
}
