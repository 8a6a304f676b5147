import ArgumentParser
import Foundation
internal import PromisedApplication
internal import PromisedSettings

/// Which data directory a command works on.
struct DataOptions: ParsableArguments {
    @Option(help: "The data directory.")
    var data: String?

    @Option(help: "The configuration file (YAML).")
    var config: String?

    /// The maintenance of the directory that the options, the environment or the file name.
    ///
    /// - Throws: exit code 2 when the configuration is wrong, after saying why.
    func maintenance() throws -> Maintenance {
        let configuration = try ConfigurationLoading.load(data: data, file: config).configuration
        return Maintenance(
            directory: configuration.dataDirectory,
            backupDirectory: configuration.backup.directory
        )
    }
}

/// How commands read the configuration.
enum ConfigurationLoading {
    /// - Throws: exit code 2 when it is wrong, after saying why.
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

/// How commands end that could not do what they were asked for.
enum Maintaining {
    /// Runs work; a failure is said on standard error.
    ///
    /// - Throws: exit code 1, or 2 when what was asked for makes no sense.
    static func attempt<Value: Sendable>(
        _ work: () async throws(MaintenanceError) -> Value
    ) async throws -> Value {
        do throws(MaintenanceError) {
            return try await work()
        } catch {
            StandardError.write("promised: \(error)")
            if case .usage = error { throw ExitCode(2) }
            throw ExitCode.failure
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
