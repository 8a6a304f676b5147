import ArgumentParser

/// `promisectl token`.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Administrators' tokens.",
        subcommands: [
            TokenCreateCommand.self,
            TokenListCommand.self,
            TokenRevokeCommand.self,
        ]
    )
}
