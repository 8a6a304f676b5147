import ArgumentParser

/// `promisectl user`.
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
