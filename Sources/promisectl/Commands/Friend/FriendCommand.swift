import ArgumentParser

/// `promisectl friend`.
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
