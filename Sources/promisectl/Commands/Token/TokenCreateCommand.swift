import ArgumentParser
import PromisedClient

/// `promisectl token create`.
struct TokenCreateCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make another administrator's token; it is shown once.",
        discussion: "Example: promisectl token create --for backups --valid 30d"
    )

    @Option(name: .customLong("for"), help: ArgumentHelp("For whom or what.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("How long, such as 30d or 12h; until it is revoked when not given.", valueName: "span"))
    var valid: SpanArgument?

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let milliseconds = valid?.milliseconds
        return .newToken(try await administration.ask(.createToken(name: name, validMs: milliseconds)))
    }
}
