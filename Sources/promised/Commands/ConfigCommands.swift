import ArgumentParser
import Foundation
import PromisedServer
internal import PromisedSettings

struct CheckConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Validate the configuration that a server would start with.",
        discussion: """
            Reads the command line, the environment (PROMISED_…), the configuration file and the key files that it names; \
            starts and changes nothing. Exit codes: 0 the configuration is valid (prints a warning for each unknown \
            variable), 2 it is invalid (prints a line for each error on standard error).

            Example: promised check-config --config /etc/promised/promised.yaml
            """
    )

    @OptionGroup var settings: SettingOptions

    func run() async throws {
        let loaded = try settings.load()
        for variable in loaded.unknownVariables {
            StandardError.write("warning: the environment variable \(variable) belongs to no setting")
        }
        do throws(StartError) {
            try await ConfigurationCheck.readFiles(of: loaded.configuration)
        } catch {
            StandardError.write("\(error)")
            throw ExitCode(2)
        }
        for file in ConfigurationCheck.exposedFiles(of: loaded.configuration) {
            StandardError.write("warning: \(file)")
        }
        StandardOutput.write("the configuration is valid")
    }
}

struct PrintDefaultConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print-default-config",
        abstract: "Print a configuration file with every setting, its meaning and its default.",
        discussion: "Exit code: 0. Example: promised print-default-config > promised.yaml"
    )

    func run() { print(ServerSettings().commentedYAML, terminator: "") }
}
