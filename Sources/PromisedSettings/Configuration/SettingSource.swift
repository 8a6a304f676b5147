/// Where a value came from, in the words of who has to change it.
package enum SettingSource: Sendable, Hashable, CustomStringConvertible {
    /// An option of the command line, such as `--listen`.
    case commandLine(option: String)
    /// An environment variable.
    case environment(variable: String)
    /// A key of the configuration file, and the line on which it stands where that is known.
    case file(path: String, key: String, line: Int? = nil)
    /// The built-in default.
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
