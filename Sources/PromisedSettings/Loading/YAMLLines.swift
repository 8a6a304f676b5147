/// Finds the lines of a YAML file on which its keys stand; the parser does not tell.
enum YAMLLines {
    /// The line of each dotted key of a block mapping, counted from 1. A key that stands twice has its first line.
    static func lines(of text: String) -> [String: Int] {
        var lines: [String: Int] = [:]
        var sections: [(indent: Int, name: String)] = []
        // By bytes: a carriage return and a line feed are one character.
        for (index, bytes) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = Substring(bytes)
            guard let (indent, name) = key(in: line) else { continue }
            while let last = sections.last, last.indent >= indent { sections.removeLast() }
            sections.append((indent, name))
            let dotted = sections.map(\.name).joined(separator: ".")
            if lines[dotted] == nil { lines[dotted] = index + 1 }
        }
        return lines
    }

    /// The key with which a line begins, and how far in.
    private static func key(in line: Substring) -> (indent: Int, name: String)? {
        let text = line.drop { $0 == " " }
        guard let first = text.first, first != "#", first != "-" else { return nil }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let after = text[text.index(after: colon)...].first
        guard after == nil || after?.isWhitespace == true else { return nil }
        let name = text[..<colon].filter { !"\"' ".contains($0) }
        return name.isEmpty ? nil : (line.count - text.count, name)
    }
}
