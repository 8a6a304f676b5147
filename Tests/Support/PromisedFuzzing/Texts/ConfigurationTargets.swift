import Foundation
import PromisedSettings

extension FuzzTarget {
    static let configuration = FuzzTarget(
        "configuration",
        "A file is refused with its problems, or its settings are written and read again to the same.",
        longest: 2_048
    ) { bytes throws(Violation) in
        let loaded: LoadedConfiguration
        do throws(ConfigurationError) {
            loaded = try ConfigurationLoader().load(yaml: Data(bytes), named: "file")
        } catch {
            return try require(!error.description.isEmpty, "a refusal without a problem")
        }
        try checkAgain(loaded.configuration)
    }

    static let settings = FuzzTarget(
        "settings",
        "A value of a setting is refused, or written and read again to the same.",
        longest: 512
    ) { bytes throws(Violation) in
        var draw = Draw(bytes)
        let number = Int(draw.byte()) << 8 | Int(draw.byte())
        let setting = ServerSettings.settings[number % ServerSettings.settings.count]
        var settings = ServerSettings()
        guard setting.apply(String(decoding: draw.rest, as: UTF8.self), to: &settings) else {
            return try require(settings == ServerSettings(), "\(setting.key) is refused and changed")
        }
        let text = setting.text(in: settings)
        var again = ServerSettings()
        try require(setting.apply(text, to: &again) && again == settings, "\(setting.key) is written as \(text)")
    }

    private static func checkAgain(_ configuration: ServerSettings) throws(Violation) {
        let text = configuration.commentedYAML
        let again: LoadedConfiguration
        do throws(ConfigurationError) {
            again = try ConfigurationLoader().load(yaml: Data(text.utf8), named: "again")
        } catch {
            throw Violation("what was loaded is refused: \(error)")
        }
        try require(again.configuration == configuration, "\(again.configuration) instead of \(configuration)")
    }
}
