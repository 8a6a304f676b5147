import ArgumentParser
import PromisedClient

/// `promisectl verify`.
struct VerifyCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Look for breaches in the server's database.",
        discussion: "Exits with 1 when there is one. Example: promisectl verify"
    )

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    var patience: Duration { .seconds(3_600) }

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        .verification(try await administration.ask(.verify()))
    }
}
