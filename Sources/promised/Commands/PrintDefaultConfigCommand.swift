import ArgumentParser
import PromisedServer
internal import PromisedSettings

/// `promised print-default-config`.
struct PrintDefaultConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print-default-config",
        abstract: "Print a configuration file with every setting, its meaning and its default.",
        discussion: "Exit code: 0. Example: promised print-default-config > promised.yaml"
    )

    func run() { print(ServerSettings().commentedYAML, terminator: "") }
}
