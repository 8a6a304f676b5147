import ArgumentParser
import PromisedClient
import PromisedProtocol

struct StatsCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show the server's statistics; rates cover the last 10 seconds.",
        discussion: "Example: promisectl stats --json"
    )

    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .stats(try await administration.ask(.getStats()))
    }
}

struct CheckCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that a server is reachable and speaks the protocol, and measure its response time.",
        discussion: """
            Needs no token; `doctor` checks more. Makes one attempt of at most 5 seconds. \
            Example: promisectl check --url ws://127.0.0.1:8080/ws
            """
    )

    @OptionGroup var options: ServerCommandOptions

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        let address = try options.server.address(in: context)
        let finding = try await context.connector.probe(at: address, authoritiesFile: options.server.authorities)
        try options.output.tell(.check(address, finding), on: context.console)
        return .done
    }
}

struct DoctorCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose a server and suggest a remedy for each problem.",
        discussion: """
            Checks the connection, its encryption, the token, the clocks and the versions from this machine, and asks the \
            server about itself, its places, and the files, recordings and exports that it keeps. Exits with 0 if there are \
            only warnings, with 1 if a check fails. Example: promisectl doctor --json
            """
    )

    @OptionGroup var options: ServerCommandOptions

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        let examination = Examination(options: options.server, context: context, patience: .seconds(3_600))
        let diagnosis = try await examination.run()
        try options.output.tell(.health(diagnosis), on: context.console)
        return diagnosis.status
    }
}

struct AuditCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show administrators' actions, newest first.",
        discussion: "Example: promisectl audit --since 2026-11-01T00:00:00Z"
    )

    @Option(help: ArgumentHelp("Show only actions at or after this time (RFC 3339).", valueName: "instant"))
    var since: InstantArgument?

    @OptionGroup var limits: LimitOptions
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let page: WireAdminAudit = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listAudit(since: since?.timestamp, cursor: cursor, limit: limit)
        }
        return .audit(page)
    }
}

struct BackupCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the server's database while the server runs.",
        discussion: """
            The path is on the server's machine, and must be below `backup.directory` if that is set. A \
            relative path starts at this process's folder. Example: promisectl backup \
            /var/backups/promised-2026-11-21.sqlite
            """
    )

    @Argument(help: "A path on the server's machine that does not exist yet.") var file: String
    @OptionGroup var options: ServerCommandOptions

    var patience: Duration { .seconds(3_600) }

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .backup(try await administration.ask(.backUp(to: AbsolutePath.of(file))))
    }
}

struct VerifyCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the server's database for violations of its invariants.",
        discussion: "Exits with 1 if it finds one. Example: promisectl verify"
    )

    @OptionGroup var options: ServerCommandOptions

    var patience: Duration { .seconds(3_600) }

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .verification(try await administration.ask(.verify()))
    }
}
