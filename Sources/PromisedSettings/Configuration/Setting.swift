/// One row of the table of settings: a key, the path of its value, its form and its meaning.
package struct Setting: Sendable {
    /// The dotted key, such as `window.before`: section and name in the file, unique.
    package let key: String
    /// The kind of value, such as "duration".
    package let kind: String
    /// The allowed values, as a phrase after "expected": "a duration from 1m to 24h".
    package let allowed: String
    /// The effect of the setting, in a sentence or two for operators.
    package let summary: String
    /// The separator of items if the file may also contain the value as a list; nil for single values.
    package let separator: Character?

    private let read: @Sendable (ServerSettings) -> String
    private let write: @Sendable (String, inout ServerSettings) -> Bool

    /// A setting whose value is at `path` and is written in `form`.
    init<Value>(
        _ key: String,
        _ path: any WritableKeyPath<ServerSettings, Value> & Sendable,
        _ form: SettingForm<Value>,
        _ summary: String
    ) {
        self.key = key
        self.kind = form.kind
        self.allowed = form.allowed
        self.summary = summary
        self.separator = form.separator
        self.read = { form.format($0[keyPath: path]) }
        self.write = { text, configuration in
            guard let value = form.parse(text) else { return false }
            configuration[keyPath: path] = value
            return true
        }
    }

    /// The value in `configuration`, in the form of the file; ``apply(_:to:)`` reads it back unchanged.
    package func text(in configuration: ServerSettings) -> String { read(configuration) }

    /// The built-in default, in the form of the file.
    package var defaultText: String { text(in: ServerSettings()) }

    /// Sets the value from its text. Returns `false` without a change if the text is not ``allowed``.
    package func apply(_ text: String, to configuration: inout ServerSettings) -> Bool { write(text, &configuration) }

    /// The environment variable that sets it, such as `PROMISED_WINDOW_BEFORE`.
    package var environmentVariable: String {
        "PROMISED_" + String(key.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }
}

/// The origin of a value, so that operators can find it.
package enum SettingSource: Sendable, Hashable, CustomStringConvertible {
    /// An option of the command line, such as `--listen`.
    case commandLine(option: String)
    case environment(variable: String)
    /// A key of the configuration file, and its line if known.
    case file(path: String, key: String, line: Int? = nil)
    case builtIn

    /// `--listen`, `PROMISED_LISTEN_PORT`, `promised.yaml:12` (or `promised.yaml:listen.port`) or `default`.
    package var description: String {
        switch self {
        case .commandLine(let option): "command line \(option)"
        case .environment(let variable): "environment \(variable)"
        case .file(let path, let key, let line): "file \(path):\(line.map(String.init) ?? key)"
        case .builtIn: "default"
        }
    }
}
