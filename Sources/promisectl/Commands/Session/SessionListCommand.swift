import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl session list`.
struct SessionListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the promises that are held in memory, ascending by meeting time.",
        discussion: "Example: promisectl session list"
    )

    @OptionGroup var limits: LimitOptions

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let page: WireAdminSessions = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listSessions(cursor: cursor, limit: limit)
        }
        return .sessions(page)
    }
}
