import ArgumentParser
import PromisedClient
import PromisedProtocol

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Accounts.",
        subcommands: [
            UserListCommand.self,
            UserShowCommand.self,
            UserCreateCommand.self,
            UserImportCommand.self,
            UserDisableCommand.self,
            UserEnableCommand.self,
            UserResetPasswordCommand.self,
            UserDeleteCommand.self,
            UserSessionsCommand.self,
            UserKickCommand.self,
        ]
    )
}

struct UserListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List accounts, sorted by nickname.",
        discussion: "Example: promisectl user list --text ada --json"
    )

    @Option(
        help: ArgumentHelp(
            "List only accounts whose nickname or e-mail contains this text, regardless of case.",
            valueName: "text"
        )
    )
    var text: String?

    @Flag(help: "List only disabled accounts.") var disabled = false
    @OptionGroup var limits: LimitOptions
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let page: WireAdminUsers = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listUsers(text: text, disabled: disabled, cursor: cursor, limit: limit)
        }
        return .users(page)
    }
}

struct UserShowCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one account with its statistics.",
        discussion: "Example: promisectl user show ada@example.org"
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.") var user: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        return .user(try await administration.ask(.showUser(found.user.userID)))
    }
}

struct UserSessionsCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "Show a user's sign-ins and connections.",
        discussion: "Example: promisectl user sessions ada"
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.") var user: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        return .userSessions(try await administration.ask(.listUserSessions(of: found.user.userID)))
    }
}

struct UserKickCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "kick",
        abstract: "Close a user's connections.",
        discussion: "Example: promisectl user kick ada --sign-out --yes"
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.") var user: String
    @Flag(help: "Also end the user's sign-ins, so that they must sign in again.") var signOut = false
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        try options.confirmation.confirm("close the connections of \(found.label)", in: context)
        return .kicked(try await administration.ask(.kickUser(found.user.userID, signOut: signOut)), found)
    }
}
