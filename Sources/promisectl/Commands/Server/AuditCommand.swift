import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl audit`.
struct AuditCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show who did what as administrator, newest first.",
        discussion: "Example: promisectl audit --since 2026-11-01T00:00:00Z"
    )

    @Option(help: ArgumentHelp("Only what happened then or later, as RFC 3339 writes it.", valueName: "instant"))
    var since: InstantArgument?

    @OptionGroup var limits: LimitOptions

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let page: WireAdminAudit = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listAudit(since: since?.timestamp, cursor: cursor, limit: limit)
        }
        return .audit(page)
    }
}
