import ArgumentParser
import PromisedApplication

/// `promised migrate`.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database of an earlier version up to date, after a copy of it, while no server runs.",
        discussion: """
            A starting server does the same by itself. The copy stays beside the database, as \
            promised.sqlite.before-MIGRATION. Exit codes: 0 done, or nothing to do, 1 it could not be done, 2 the command \
            line or the configuration is wrong.

            Example: promised migrate --dry-run --data /var/lib/promised
            """
    )

    @Flag(help: "Only tell what there is to do.")
    var dryRun = false

    @Flag(help: "One JSON document instead of lines.")
    var json = false

    @OptionGroup var options: DataOptions

    func run() async throws {
        let maintenance = try options.maintenance()
        let (migrations, backup) = try await Maintaining.attempt { () async throws(MaintenanceError) in
            try await maintenance.migrate(dryRun: dryRun)
        }
        guard !json else {
            return try JSONOutput.write(Document(migrations: migrations, backup: backup, dryRun: dryRun))
        }
        if let backup { StandardOutput.write("copied to \(backup)") }
        for migration in migrations { StandardOutput.write("\(dryRun ? "to do" : "done"): \(migration)") }
        if migrations.isEmpty { StandardOutput.write("up to date") }
    }

    private struct Document: Encodable {
        var migrations: [String]
        var backup: String?
        var dryRun: Bool
    }
}
