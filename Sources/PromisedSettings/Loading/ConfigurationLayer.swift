import Configuration

/// One source of values: the command line, the environment or the file.
///
/// Layers are read one by one, since a reader over several providers does not report the origin of a value.
struct ConfigurationLayer {
    /// A layer's answer about a setting.
    enum Answer: Equatable {
        /// No value.
        case absent
        /// This text; items of a list are joined with the setting's separator.
        case text(String)
        /// A list or section.
        case notOneValue
    }

    let snapshot: any ConfigSnapshot
    var prefix: [String] = []
    let source: (Setting) -> SettingSource

    func answer(for setting: Setting) -> Answer {
        let key = AbsoluteConfigKey(prefix + setting.key.split(separator: ".").map(String.init))
        do {
            // As a text first: as a list, a variable of the environment would be split at every comma.
            guard let value = try snapshot.value(forKey: key, type: .string).value else { return .absent }
            guard case .string(let text) = value.content else { return .notOneValue }
            return .text(text)
        } catch {
            // A text fails only if there is a list under the key.
            guard let separator = setting.separator, case .stringArray(let items)? = content(key, .stringArray) else {
                return .notOneValue
            }
            return .text(items.joined(separator: String(separator)))
        }
    }

    private func content(_ key: AbsoluteConfigKey, _ type: ConfigType) -> ConfigContent? {
        // A failure means that the value is of another type, which the caller tries next.
        (try? snapshot.value(forKey: key, type: type))?.value?.content
    }
}

extension ConfigurationLayer {
    /// The layer of `--data`, `--listen`, `--set` and the like.
    static func commandLine(_ values: [String: (text: String, option: String)]) -> ConfigurationLayer {
        let pairs = values.map {
            (AbsoluteConfigKey(ConfigKey($0.key)), ConfigValue(.string($0.value.text), isSecret: false))
        }
        return ConfigurationLayer(
            snapshot: InMemoryProvider(values: Dictionary(pairs) { _, last in last }).snapshot(),
            source: { .commandLine(option: values[$0.key]?.option ?? "--set \($0.key)") }
        )
    }

    /// The layer of the variables `PROMISED_…`.
    static func environment(_ variables: [String: String]) -> ConfigurationLayer {
        ConfigurationLayer(
            snapshot: EnvironmentVariablesProvider(environmentVariables: variables).snapshot(),
            prefix: ["promised"],
            source: { .environment(variable: $0.environmentVariable) }
        )
    }
}

/// A configuration while it is read: the values so far, their sources and the problems.
struct ConfigurationReading {
    private(set) var configuration = ServerSettings()
    private(set) var sources: [String: SettingSource] = [:]
    private(set) var problems: [ConfigurationProblem] = []

    /// Sets the value of the first layer that has one; otherwise retains the default.
    mutating func read(_ setting: Setting, from layers: [ConfigurationLayer]) {
        sources[setting.key] = .builtIn
        for layer in layers {
            let source = layer.source(setting)
            switch layer.answer(for: setting) {
            case .absent: continue
            case .notOneValue: problems.append(.notOneValue(key: setting.key, source: source, allowed: setting.allowed))
            case .text(let text):
                sources[setting.key] = source
                guard !setting.apply(text, to: &configuration) else { return }
                problems.append(.badValue(key: setting.key, value: text, source: source, allowed: setting.allowed))
            }
            return
        }
    }

    /// The conflicts between values that are valid alone.
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
