package import Foundation
import PromisedDomain

/// Reads the configuration: command line over environment over file over defaults (`docs/operations.md#configure`).
package struct ConfigurationLoader {
    private let commandLine: CommandLineSettings
    private let environment: [String: String]
    private let file: String?

    /// A loader over the given sources.
    ///
    /// - Parameters:
    ///   - commandLine: the options.
    ///   - environment: the variables of the process; names other than `PROMISED_…` are ignored.
    ///   - file: the path of the YAML file; nil: that of `PROMISED_CONFIG`, or none.
    package init(commandLine: CommandLineSettings = .init(), environment: [String: String] = [:], file: String? = nil) {
        self.commandLine = commandLine
        self.environment = environment
        self.file = file ?? environment[Self.fileVariable]
    }

    /// Reads and checks all settings. Throws ``ConfigurationError`` with all problems, if there are any.
    package func load() throws(ConfigurationError) -> LoadedConfiguration { try load(with: try readFile()) }

    /// Reads and checks all settings, with the bytes of a YAML file that is called `name` in messages.
    package func load(yaml bytes: Data, named name: String) throws(ConfigurationError) -> LoadedConfiguration {
        try load(with: ConfigurationFile(path: name, bytes: bytes))
    }

    // MARK: - Internals

    private func load(with file: ConfigurationFile?) throws(ConfigurationError) -> LoadedConfiguration {
        let (options, badOptions) = commandLine.read()
        let layers = [.commandLine(options), .environment(environment)] + (file.map { [$0.layer] } ?? [])
        var reading = ConfigurationReading()
        for setting in ServerSettings.settings { reading.read(setting, from: layers) }
        let conflicts = reading.problems.isEmpty ? reading.conflicts() : []
        let problems =
            badOptions + reading.problems + conflicts + emptyValues(in: file) + unknownOptions(options)
            + unknownKeys(in: file)
        guard problems.isEmpty else { throw ConfigurationError(problems.map { $0.naming(linesOf: file) }) }
        return LoadedConfiguration(
            configuration: reading.configuration,
            sources: reading.sources,
            unknownVariables: unknownVariables
        )
    }

    private static let fileVariable = "PROMISED_CONFIG"
    /// The variables of promisectl; a shell may set them for both programs.
    private static let operatorVariables = ["PROMISED_URL", "PROMISED_TOKEN_FILE"]

    private func readFile() throws(ConfigurationError) -> ConfigurationFile? {
        guard let file else { return nil }
        return try ConfigurationFile(path: file)
    }

    /// Settings with an empty section in place of a value, which layers cannot detect.
    private func emptyValues(in file: ConfigurationFile?) -> [ConfigurationProblem] {
        guard let file else { return [] }
        return ServerSettings.settings.filter { file.emptyMappings.contains($0.key) }.map { setting in
            .notOneValue(
                key: setting.key,
                source: .file(path: file.path, key: setting.key),
                allowed: setting.allowed
            )
        }
    }

    private func unknownOptions(_ options: [String: (text: String, option: String)]) -> [ConfigurationProblem] {
        let unknown = options.keys.filter { !NearestKey.known.contains($0) }.sorted()
        return unknown.map { key in
            .unknownKey(key: key, source: .commandLine(option: "--set"), suggestion: NearestKey.suggestion(for: key))
        }
    }

    private func unknownKeys(in file: ConfigurationFile?) -> [ConfigurationProblem] {
        guard let file else { return [] }
        let unknown = file.keys.filter { key in
            let isSection = NearestKey.known.contains { $0.hasPrefix(key + ".") }
            return !NearestKey.known.contains(key) && !(isSection && file.isEmptySection(key))
        }
        return unknown.map { key in
            .unknownKey(key: key, source: .file(path: file.path, key: key), suggestion: NearestKey.suggestion(for: key))
        }
    }

    private var unknownVariables: [String] {
        let known = Set(
            ServerSettings.settings.map(\.environmentVariable) + [Self.fileVariable] + Self.operatorVariables
        )
        return environment.keys.filter { $0.hasPrefix("PROMISED_") && !known.contains($0) }.sorted()
    }
}

/// A valid configuration, and its sources.
package struct LoadedConfiguration: Sendable {
    package let configuration: ServerSettings
    /// The source of each key's value; an entry for every setting.
    package let sources: [String: SettingSource]
    /// Variables named `PROMISED_…` that are not settings, sorted; they deserve a warning, but may belong to other
    /// programs.
    package let unknownVariables: [String]
}

/// Suggests a known key for a misspelt one.
enum NearestKey {
    static let known = Set(ServerSettings.settings.map(\.key))

    /// The known key nearest to `key`; nil if none is near.
    ///
    /// Near means a key with the same last part, or one within a third of its length in insertions, deletions and
    /// replacements of characters, three at most. Of several, the nearest is returned; of equally near ones, the first
    /// in alphabetical order.
    static func suggestion(for key: String) -> String? {
        let sorted = known.sorted()
        return EditDistance.nearest(to: key, among: sorted) ?? sorted.first { lastPart($0) == lastPart(key) }
    }

    private static func lastPart(_ key: String) -> Substring? { key.split(separator: ".").last }
}
