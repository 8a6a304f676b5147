import ArgumentParser
import Foundation
import PromisedApplication
import PromisedFormats
import PromisedPlaces
internal import PromisedSettings

struct DataOptions: ParsableArguments {
    @Option(help: "The data directory.") var data: String?
    @Option(help: "The configuration file (YAML).") var config: String?

    /// Works on the directory named by the options, the environment or the file. Throws exit code 1, or 2 for an invalid
    /// configuration or request, after printing why.
    func maintain<Value: Sendable>(_ work: (Maintenance) async throws(MaintenanceError) -> Value) async throws -> Value
    {
        let configuration = try ConfigurationLoading.load(CommandLineSettings(data: data), file: config).configuration
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
        let configuration = try ConfigurationLoading.load(CommandLineSettings(data: data), file: config).configuration
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
    static func load(_ commandLine: CommandLineSettings, file: String?) throws -> LoadedConfiguration {
        let loader = ConfigurationLoader(
            commandLine: commandLine,
            environment: ProcessInfo.processInfo.environment,
            file: file
        )
        do throws(ConfigurationError) {
            return try loader.load()
        } catch {
            for problem in error.problems { StandardError.write(found(problem) ?? "\(problem)") }
            throw ExitCode(2)
        }
    }

    /// The sentence about a file in another format; nil for any other problem.
    private static func found(_ problem: ConfigurationProblem) -> String? {
        // The format of an unreadable file is unknown: the problem itself states the reason.
        guard case .unreadableFile(let path, _) = problem,
            let start = try? FileChunks.bytes(ofFileAt: path, most: FoundFormat.startLength),
            let found = FoundFormat(sniffing: start), found != .json
        else { return nil }
        return "\(path): \(found.sentence(insteadOf: "a configuration in YAML", advice: "name another file"))"
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
        abstract: "Check the database and the files for violations of their invariants, while no server runs.",
        discussion: """
            Changes nothing. Lists what was deleted and is still to be erased, which is no violation. Reads all files, and reports those that are missing (file-missing), differ in size or SHA-256 \
            (file-damaged), or belong to no row (file-stray). While a server runs, use promisectl verify. Exit codes: 0 no \
            violations, 1 violations (a line for each on standard output) or the data cannot be read, 2 the command line or \
            the configuration is invalid.

            Example: promised verify --data /var/lib/promised
            """
    )

    @Flag(help: "Print one JSON document instead of lines.") var json = false
    @OptionGroup var options: DataOptions

    func run() async throws {
        let categories = try options.categories()
        let (breaches, erasing) = try await options.maintain { maintenance async throws(MaintenanceError) in
            (try await maintenance.verify(categories: categories), try await maintenance.erasing())
        }
        if json {
            let lines = breaches.map { Found.Line(check: $0.check, detail: $0.detail) }
            try JSONOutput.write(Found(breaches: lines, erasing: erasing.isEmpty ? nil : erasing))
        } else {
            for breach in breaches { StandardOutput.write("\(breach.check): \(breach.detail)") }
            if breaches.isEmpty { StandardOutput.write("no violations") }
            for line in erasing { StandardOutput.write("being erased: \(line)") }
        }
        if !breaches.isEmpty { throw ExitCode.failure }
    }

    private struct Found: Encodable {
        var breaches: [Line]
        var erasing: [String]?

        struct Line: Encodable {
            var check: String
            var detail: String
        }
    }
}
