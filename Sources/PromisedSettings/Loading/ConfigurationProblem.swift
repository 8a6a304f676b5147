/// One problem of the configuration, with its location.
package enum ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
    /// A value that its key does not allow; `allowed` is a phrase after "expected".
    case badValue(key: String, value: String, source: SettingSource, allowed: String)
    /// A list or section in place of a single value.
    case notOneValue(key: String, source: SettingSource, allowed: String)
    /// A value that conflicts with another; `reason` is a sentence without full stop.
    case conflict(key: String, value: String, source: SettingSource, reason: String)
    /// An unknown key, with the nearest known one.
    case unknownKey(key: String, source: SettingSource, suggestion: String?)
    /// A malformed option of the command line.
    case badOption(option: String, value: String, expected: String)
    /// A file that is unreadable or not YAML.
    case unreadableFile(path: String, reason: String)

    /// A line for the operator: the key, the value, its source, and the allowed values.
    package var description: String {
        switch self {
        case .badValue(let key, let value, let source, let allowed):
            "\(key): \"\(value)\" (\(source)) is not allowed; expected \(allowed)"
        case .notOneValue(let key, let source, let allowed):
            "\(key): (\(source)) is a list or a section; expected \(allowed)"
        case .conflict(let key, let value, let source, let reason):
            "\(key): \"\(value)\" (\(source)) is not allowed; \(reason)"
        case .unknownKey(let key, let source, let suggestion):
            "\(key): (\(source)) is not a setting" + (suggestion.map { "; did you mean \($0)?" } ?? "")
        case .badOption(let option, let value, let expected):
            "\(option): \"\(value)\" (command line \(option)) is not allowed; expected \(expected)"
        case .unreadableFile(let path, let reason): "\(path): \(reason)"
        }
    }
}

/// Why the server does not start: all problems of its configuration at once.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// In the order of the table of settings, unknown keys last; never empty.
    package let problems: [ConfigurationProblem]

    /// An error of at least one problem.
    init(_ problems: [ConfigurationProblem]) {
        precondition(!problems.isEmpty, "An error needs a problem")
        self.problems = problems
    }

    /// One line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
