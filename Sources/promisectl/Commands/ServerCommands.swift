import ArgumentParser
import PromisedClient
import PromisedProtocol

/// `promisectl stats`.
struct StatsCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show what the server does; rates are of the last 10 seconds.",
        discussion: "Example: promisectl stats --json"
    )

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        .stats(try await administration.ask(.getStats()))
    }
}

/// `promisectl check`.
struct CheckCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "See whether a server is reachable and speaks the protocol, and how fast it answers.",
        discussion: """
            Needs no token; `doctor` looks at more. One attempt of at most 5 seconds. \
            Example: promisectl check --url ws://127.0.0.1:8080/ws
            """
    )

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        let address = try server.address(in: context)
        let finding = try await context.connector.probe(at: address, authoritiesFile: server.authorities)
        try output.tell(.check(address, finding), on: context.console)
        return .done
    }
}

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

/// `promisectl audit`.
struct AuditCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show who did what as administrator, newest first.",
        discussion: "Example: promisectl audit --since 2026-11-01T00:00:00Z"
    )

    @Option(help: ArgumentHelp("Only what happened then or later, as RFC 3339 writes it.", valueName: "instant"))
    var since: InstantArgument?

    @OptionGroup var limits: LimitOptions

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let page: WireAdminAudit = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listAudit(since: since?.timestamp, cursor: cursor, limit: limit)
        }
        return .audit(page)
    }
}

/// `promisectl backup`.
struct BackupCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the server's database while it serves.",
        discussion: """
            The path is one of the server's machine, and below `backup.directory` where that is set; a \
            relative one is taken from here. Example: promisectl backup \
            /var/backups/promised-2026-11-21.sqlite
            """
    )

    @Argument(help: "A path on the server's machine where nothing is yet.")
    var file: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    var patience: Duration { .seconds(3_600) }

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        .backup(try await administration.ask(.backUp(to: AbsolutePath.of(file))))
    }
}

/// `promisectl verify`.
struct VerifyCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Look for breaches in the server's database.",
        discussion: "Exits with 1 when there is one. Example: promisectl verify"
    )

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    var patience: Duration { .seconds(3_600) }

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        .verification(try await administration.ask(.verify()))
    }
}
