import ArgumentParser
import PromisedClient
import PromisedProtocol

struct FriendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "friend",
        abstract: "Friendships, requests and blocks.",
        subcommands: [
            FriendListCommand.self,
            FriendRequestsCommand.self,
            FriendAddCommand.self,
            FriendRemoveCommand.self,
            FriendBlockCommand.self,
            FriendUnblockCommand.self,
        ]
    )
}

struct FriendListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List a user's friends.",
        discussion: "Example: promisectl friend list ada"
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.") var user: String
    @OptionGroup var limits: LimitOptions
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        let page: WireFriends = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listFriends(of: found.user.userID, cursor: cursor, limit: limit)
        }
        return .friends(page)
    }
}

struct FriendRequestsCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List a user's pending friend requests.",
        discussion: "Example: promisectl friend requests ada"
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.") var user: String
    @OptionGroup var limits: LimitOptions
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        let page: WireFriendRequests = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listFriendRequests(of: found.user.userID, cursor: cursor, limit: limit)
        }
        return .friendRequests(page)
    }
}

struct FriendAddCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make two users friends without a request.",
        discussion: "Example: promisectl friend add ada bob"
    )

    @Argument(help: "One user: an id, a nickname or an e-mail.") var user: String
    @Argument(help: "The other user.") var other: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let one = try await administration.user(named: user)
        let two = try await administration.user(named: other)
        let done = try await administration.ask(.addFriends(one.user.userID, two.user.userID))
        return .done(done, "\(one.label) and \(two.label) are friends")
    }
}

struct FriendRemoveCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "End the friendship of two users.",
        discussion: "Example: promisectl friend remove ada bob --yes"
    )

    @Argument(help: "One user: an id, a nickname or an e-mail.") var user: String
    @Argument(help: "The other user.") var other: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let one = try await administration.user(named: user)
        let two = try await administration.user(named: other)
        try options.confirmation.confirm("end the friendship of \(one.label) and \(two.label)", in: context)
        let done = try await administration.ask(.removeFriends(one.user.userID, two.user.userID))
        return .done(done, "\(one.label) and \(two.label) are no longer friends")
    }
}

struct FriendBlockCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Block a user on behalf of another; this ends their friendship.",
        discussion: "Example: promisectl friend block ada bob --yes"
    )

    @Argument(help: "The blocking user: an id, a nickname or an e-mail.") var user: String
    @Argument(help: "The blocked user.") var other: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let one = try await administration.user(named: user)
        let two = try await administration.user(named: other)
        try options.confirmation.confirm("block \(two.label) for \(one.label)", in: context)
        let done = try await administration.ask(.blockUser(for: one.user.userID, two.user.userID))
        return .done(done, "\(one.label) blocks \(two.label)")
    }
}

struct FriendUnblockCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Remove a block; this does not restore the friendship.",
        discussion: "Example: promisectl friend unblock ada bob"
    )

    @Argument(help: "The blocking user: an id, a nickname or an e-mail.") var user: String
    @Argument(help: "The blocked user.") var other: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let one = try await administration.user(named: user)
        let two = try await administration.user(named: other)
        let done = try await administration.ask(.unblockUser(for: one.user.userID, two.user.userID))
        return .done(done, "\(one.label) no longer blocks \(two.label)")
    }
}
