import ArgumentParser
import Foundation
import PromisedApplication
import PromisedDomain
internal import PromisedSettings

struct DataOptions: ParsableArguments {
    @Option(help: "The data directory.") var data: String?
    @Option(help: "The configuration file (YAML).") var config: String?

    /// Works on the directory named by the options, the environment or the file. Throws exit code 1, or 2 for an invalid
    /// configuration or request, after printing why.
    func maintain<Value: Sendable>(_ work: (Maintenance) async throws(MaintenanceError) -> Value) async throws -> Value
    {
        let configuration = try ConfigurationLoading.load(data: data, file: config).configuration
        let backups = configuration.backup.directory
        do throws(MaintenanceError) {
            return try await work(Maintenance(directory: configuration.dataDirectory, backupDirectory: backups))
        } catch {
            StandardError.write("promised: \(error)")
            if case .usage = error { throw ExitCode(2) }
            throw ExitCode.failure
        }
    }

    /// The categories of the setting `places.categories`. Throws exit code 2 if its file is invalid, after printing why.
    func categories() throws -> CategoryTable {
        let configuration = try ConfigurationLoading.load(data: data, file: config).configuration
        do throws(PlaceCategoriesError) {
            return try PlaceCategories.load(configuration.places)
        } catch {
            StandardError.write("promised: \(error)")
            throw ExitCode(2)
        }
    }
}

enum ConfigurationLoading {
    /// - Throws: exit code 2 if it is invalid, after printing why.
    static func load(data: String?, file: String?) throws -> LoadedConfiguration {
        let loader = ConfigurationLoader(
            commandLine: CommandLineSettings(data: data),
            environment: ProcessInfo.processInfo.environment,
            file: file
        )
        do throws(ConfigurationError) {
            return try loader.load()
        } catch {
            StandardError.write("\(error)")
            throw ExitCode(2)
        }
    }
}

/// Results for machines: one JSON document on standard output.
enum JSONOutput {
    /// Writes a value with sorted keys.
    static func write(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        StandardOutput.write(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrate the database of an earlier version, after copying it, while no server runs.",
        discussion: """
            A server also migrates its database when it starts. The copy stays beside the database, as \
            promised.sqlite.before-MIGRATION. Exit codes: 0 success, or nothing to do, 1 failure, 2 the command line or the \
            configuration is invalid.

            Example: promised migrate --dry-run --data /var/lib/promised
            """
    )

    @Flag(help: "Only print the pending migrations.") var dryRun = false
    @Flag(help: "Print one JSON document instead of lines.") var json = false
    @OptionGroup var options: DataOptions

    func run() async throws {
        let (migrations, backup) = try await options.maintain { maintenance async throws(MaintenanceError) in
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

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the database for violations of its invariants, while no server runs.",
        discussion: """
            Changes nothing. While a server runs, use promisectl verify. Exit codes: 0 no violations, 1 violations (a line \
            for each on standard output) or the database cannot be read, 2 the command line or the configuration is invalid.

            Example: promised verify --data /var/lib/promised
            """
    )

    @Flag(help: "Print one JSON document instead of lines.") var json = false
    @OptionGroup var options: DataOptions

    func run() async throws {
        let categories = try options.categories()
        let breaches = try await options.maintain { maintenance async throws(MaintenanceError) in
            try await maintenance.verify(categories: categories)
        }
        if json {
            try JSONOutput.write(["breaches": breaches.map { ["check": $0.check, "detail": $0.detail] }])
        } else {
            for breach in breaches { StandardOutput.write("\(breach.check): \(breach.detail)") }
            if breaches.isEmpty { StandardOutput.write("no violations") }
        }
        if !breaches.isEmpty { throw ExitCode.failure }
    }
}

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database into a new file while no server runs.",
        discussion: """
            While a server runs, use promisectl backup. The copy (mode 0600) contains everything but the signing key and \
            the secrets of administrators. If the setting backup.directory names a folder, the copy must be below it. Exit \
            codes: 0 success, 1 failure, 2 the command line or the configuration is invalid.

            Example: promised backup /var/backups/promised.sqlite --data /var/lib/promised
            """
    )

    @Argument(help: "The new file, in an existing folder.") var file: String
    @OptionGroup var options: DataOptions

    func run() async throws {
        let path = URL(fileURLWithPath: file).standardizedFileURL.path
        let bytes = try await options.maintain { maintenance async throws(MaintenanceError) in
            try await maintenance.backUp(to: path)
        }
        StandardOutput.write("\(path): \(bytes) bytes")
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup into a data directory that has no database.",
        discussion: """
            Does not change the backup. The restored data is as old as the backup: anything revoked or deleted since then \
            is back, and users who signed in since then must sign in again. Clients get new snapshots of their promises. \
            The signing key is a separate file: without the old signing.key all users must sign in again. Exit codes: \
            0 success, 1 failure (nothing was changed), 2 the command line or the configuration is invalid.

            Example: promised restore /var/backups/promised.sqlite --data /var/lib/promised
            """
    )

    @Argument(help: "A file written by a backup.") var file: String
    @OptionGroup var options: DataOptions

    func run() async throws {
        let (directory, bytes) = try await options.maintain { maintenance async throws(MaintenanceError) in
            (maintenance.directory, try await maintenance.restore(from: file))
        }
        StandardOutput.write("\(directory): \(bytes) bytes")
    }
}
