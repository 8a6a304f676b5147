import ArgumentParser
import PromisedClient
import PromisedCommandLine
import PromisedProtocol
import PromisedWire

struct PromiseInviteCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Invite friends of the owner, before the window opens.",
        discussion: "Example: promisectl promise invite 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b bob eve"
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise) var promise: String
    @Argument(help: "The users: ids, nicknames or e-mails.") var users: [String]
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let ids = try await administration.userIDs(named: users)
        let current = try await administration.ask(.showPromise(promise)).promise
        var request = WireUpdatePromise(changing: current)
        request.invite = ids
        return .promise(try await administration.ask(.editPromise(request)))
    }
}

struct PromiseRemoveCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove participants from a promise, before the window opens.",
        discussion: "Example: promisectl promise remove 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b bob --yes"
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise) var promise: String
    @Argument(help: "The users: ids, nicknames or e-mails.") var users: [String]
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let ids = try await administration.userIDs(named: users)
        let current = try await administration.ask(.showPromise(promise)).promise
        let who = users.map(\.printable).joined(separator: ", ")
        try options.confirmation.confirm("remove \(who) from the promise \(current.title.printable)", in: context)
        var request = WireUpdatePromise(changing: current)
        request.remove = ids
        return .promise(try await administration.ask(.editPromise(request)))
    }
}

struct PromiseExcuseCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "excuse",
        abstract: "Exclude a promise from a participant's statistics.",
        discussion: """
            Example: promisectl promise excuse 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b ada --reason 'train \
            cancelled'
            """
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise) var promise: String
    @Argument(help: "The user: an id, a nickname or an e-mail.") var user: String
    @Option(help: "The reason, shown in the result.") var reason: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        return .result(try await administration.ask(.excuse(found.user.userID, in: promise, reason: reason)))
    }
}
