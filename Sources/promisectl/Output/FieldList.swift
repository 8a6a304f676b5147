/// One thing for people: its fields by name, one a line.
struct FieldList: Sendable {
    private var fields: [(name: String, cell: Table.Cell)] = []

    /// Adds a field; an empty one is left out.
    mutating func add(_ name: String, _ text: String, _ tone: Tone = .plain) {
        guard !text.isEmpty else { return }
        fields.append((name, Table.Cell(text, tone)))
    }

    /// The lines, names aligned.
    func text(_ style: Style) -> String {
        let width = fields.reduce(0) { max($0, TextWidth.columns(of: $1.name)) }
        return fields.map { name, cell in
            let padding = String(repeating: " ", count: width - TextWidth.columns(of: name))
            return "\(style.paint(name + ":", .faint))\(padding)  \(style.paint(cell.text, cell.tone))"
        }.joined(separator: "\n")
    }
}
