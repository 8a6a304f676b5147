import ArgumentParser

/// `promisectl doctor`.
struct DoctorCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "See whether all is well with a server, and what to do where it is not.",
        discussion: """
            Looks from here at the connection, its encryption, the token, the clocks and the versions, and asks the server \
            about itself. Exits with 0 on warnings, with 1 when something fails. Example: promisectl doctor --json
            """
    )

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        let examination = Examination(options: server, context: context, patience: .seconds(3_600))
        let diagnosis = try await examination.run()
        try output.tell(.health(diagnosis), on: context.console)
        return diagnosis.status
    }
}
