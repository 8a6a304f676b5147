import ArgumentParser
import Foundation
internal import PromisedSettings

/// The options of a command that reads all settings.
struct SettingOptions: ParsableArguments {
    @Option(help: "The configuration file (YAML).") var config: String?
    @Option(help: "The data directory; created if missing.") var data: String?
    @Option(help: "The address to listen on, HOST:PORT; port 0 picks a free port.") var listen: String?

    @Option(help: "The speed of the server's clock: its seconds per real second (development only).")
    var clockRate: String?

    @Option(help: "The initial time of the server's clock, RFC 3339 (development only).") var clockStart: String?
    @Option(name: .customLong("set"), help: "Any setting, KEY=VALUE; repeatable.") var assignments: [String] = []

    /// Reads the command line, the environment and the file. Throws exit code 2 for an invalid configuration, after
    /// printing why.
    func load() throws -> LoadedConfiguration {
        try ConfigurationLoading.load(
            CommandLineSettings(
                data: data,
                listen: listen,
                clockRate: clockRate,
                clockStart: clockStart,
                assignments: assignments
            ),
            file: config
        )
    }
}
