import ArgumentParser
import PromisedClient
import PromisedProtocol

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Promises in the server's memory.",
        subcommands: [SessionListCommand.self, SessionShowCommand.self]
    )
}

struct SessionListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the promises in the server's memory, earliest meeting time first.",
        discussion: "Example: promisectl session list"
    )

    @OptionGroup var limits: LimitOptions
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let page: WireAdminSessions = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listSessions(cursor: cursor, limit: limit)
        }
        return .sessions(page)
    }
}

struct SessionShowCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one promise in the server's memory.",
        discussion: "Example: promisectl session show 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b"
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise) var promise: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .session(try await administration.ask(.showSession(of: promise)))
    }
}
