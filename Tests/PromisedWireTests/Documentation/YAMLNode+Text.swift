extension YAMLNode {
    /// The document in block style, two spaces a level, a newline at its end.
    var yaml: String { lines.joined(separator: "\n") + "\n" }

    private var lines: [String] {
        switch self {
        case .text(let text): [Self.scalar(text)]
        case .number(let number): [Self.digits(number)]
        case .json(let text): [text]
        case .flag(let flag): ["\(flag)"]
        case .list(let items): items.isEmpty ? ["[]"] : items.flatMap(Self.itemLines)
        case .map(let entries): entries.isEmpty ? ["{}"] : entries.flatMap(Self.entryLines)
        }
    }

    private var isBlock: Bool { !items.isEmpty || !entries.isEmpty }

    private static func itemLines(_ item: YAMLNode) -> [String] {
        item.lines.enumerated().map { index, line in (index == 0 ? "- " : "  ") + line }
    }

    private static func entryLines(_ entry: Entry) -> [String] {
        let key = scalar(entry.key)
        guard entry.value.isBlock else { return ["\(key): \(entry.value.lines[0])"] }
        return ["\(key):"] + entry.value.lines.map { "  \($0)" }
    }

    /// A number without an exponent if it is whole: YAML 1.1 reads `1e+15` as a text.
    static func digits(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }

    /// A text on one line, in double quotes unless every version of YAML reads it as a text.
    private static func scalar(_ text: String) -> String {
        // YAML 1.1 reads these words as flags or null, and one field is called `on`.
        let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        let isPlain = text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_\/.-]*( [A-Za-z0-9_\/.()-]+)*/) != nil
        if isPlain, !words.contains(text.lowercased()) { return text }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "\"\(escaped)\""
    }
}
