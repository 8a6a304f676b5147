/// A configuration in the making: the values read so far, where they came from and what was wrong.
struct ConfigurationReading {
    private(set) var configuration = ServerSettings()
    private(set) var sources: [String: SettingSource] = [:]
    private(set) var problems: [ConfigurationProblem] = []

    /// Takes the value of the first layer that has one; none keeps the default.
    mutating func read(_ setting: Setting, from layers: [ConfigurationLayer]) {
        sources[setting.key] = .builtIn
        for layer in layers {
            let source = layer.source(setting)
            switch layer.answer(for: setting) {
            case .absent:
                continue
            case .notOneValue:
                problems.append(.notOneValue(key: setting.key, source: source, allowed: setting.allowed))
            case .text(let text):
                sources[setting.key] = source
                guard !setting.apply(text, to: &configuration) else { return }
                problems.append(
                    .badValue(key: setting.key, value: text, source: source, allowed: setting.allowed)
                )
            }
            return
        }
    }

    /// What does not go together among values that are each allowed.
    func conflicts() -> [ConfigurationProblem] {
        ServerSettings.conflicts(in: configuration).map { conflict in
            let setting = ServerSettings.settings.first { $0.key == conflict.key }
            return .conflict(
                key: conflict.key,
                value: setting?.text(in: configuration) ?? "",
                source: sources[conflict.key] ?? .builtIn,
                reason: conflict.reason
            )
        }
    }
}
