import ArgumentParser

/// `promised token`.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make, list and revoke administrators' tokens while no server runs.",
        discussion: """
            While a server runs, promisectl token does the same. Exit codes: 0 done, 1 it could not be done, \
            2 the command line or the configuration is wrong.
            """,
        subcommands: [TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self]
    )
}
