import ArgumentParser
import PromisedClient

/// `promisectl stats`.
struct StatsCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show what the server does; rates are of the last 10 seconds.",
        discussion: "Example: promisectl stats --json"
    )

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        .stats(try await administration.ask(.getStats()))
    }
}
