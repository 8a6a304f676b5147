import ArgumentParser

/// `promisectl promise`.
struct PromiseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promise",
        abstract: "Promises, their results and the evidence for them.",
        subcommands: [
            PromiseListCommand.self,
            PromiseShowCommand.self,
            PromiseCreateCommand.self,
            PromiseEditCommand.self,
            PromiseCancelCommand.self,
            PromiseInviteCommand.self,
            PromiseRemoveCommand.self,
            PromiseWatchCommand.self,
            PromiseResultCommand.self,
            PromiseExplainCommand.self,
            PromiseExcuseCommand.self,
            PromiseExportCommand.self,
        ]
    )
}
