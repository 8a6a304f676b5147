import ArgumentParser

/// `promisectl session`.
struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Promises that the server holds in memory.",
        subcommands: [
            SessionListCommand.self,
            SessionShowCommand.self,
        ]
    )
}
