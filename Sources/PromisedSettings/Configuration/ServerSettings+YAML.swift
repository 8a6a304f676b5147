extension ServerSettings {
    /// This configuration as a commented YAML file with every setting; ``ConfigurationLoader`` can read it.
    ///
    /// `config/promised.yaml` is this text for the defaults.
    package var commentedYAML: String {
        var lines = Self.preamble
        var open: [Substring] = []
        for setting in Self.settings {
            let parts = setting.key.split(separator: ".")
            let sections = Array(parts.dropLast())
            let shared = zip(open, sections).prefix { $0 == $1 }.count
            lines.append("")
            for depth in shared..<sections.count { lines.append("\(Self.indent(depth))\(sections[depth]):") }
            open = sections
            let indent = Self.indent(sections.count)
            lines.append("\(indent)# \(setting.summary)")
            lines.append("\(indent)# Expected: \(setting.allowed). Environment: \(setting.environmentVariable)")
            lines.append("\(indent)\(parts[parts.count - 1]): \(yaml(of: setting))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let preamble = [
        "# Settings of promised, each with its default.",
        "#",
        "# Order: command line (--data, --listen, --clock-rate, --clock-start, --set KEY=VALUE), environment, this file,",
        "# defaults. The server does not start with an invalid value or an unknown key.",
        "# Durations: 250ms, 5s, 10m, 3h, 30d. Sizes: 4096, 64KiB, 1MiB. Times: 2026-11-21T09:00:00Z.",
    ]

    private static func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

    private func yaml(of setting: Setting) -> String {
        let text = setting.text(in: self)
        if setting.kind == SettingForm<Bool>.toggle.kind { return text }
        guard let separator = setting.separator else { return Self.scalar(text) }
        return "[" + text.split(separator: separator).map { Self.scalar(String($0)) }.joined(separator: ", ") + "]"
    }

    /// A plain scalar if YAML cannot misread it, a quoted one otherwise.
    private static func scalar(_ text: String) -> String {
        let isPlain =
            text.first.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "/") } ?? false
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "./_-".contains($0)) }
            && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        guard !isPlain else { return text }
        return "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
    }
}
