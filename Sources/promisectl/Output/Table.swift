import PromisedCommandLine

/// A table for people: columns aligned, as wide as their widest cell.
struct Table: Sendable {
    struct Column: Sendable, ExpressibleByStringLiteral {
        let title: String
        var isNumeric = false

        init(stringLiteral title: String) { self.title = title }

        /// A column aligned on the right.
        static func number(_ title: Column) -> Column {
            var column = title
            column.isNumeric = true
            return column
        }
    }

    struct Cell: Sendable, ExpressibleByStringInterpolation {
        let text: String
        let tone: Tone

        /// A cell; removes characters that could move the cursor.
        init(_ text: String, _ tone: Tone = .plain) {
            self.text = text.printable
            self.tone = tone
        }

        init(stringLiteral value: String) { self.init(value) }
    }

    private static let gap = "  "

    let columns: [Column]
    let rows: [[Cell]]
    /// The text of a table without rows.
    let whenEmpty: String

    /// A table with a row per item.
    init<Item>(_ columns: [Column], whenEmpty: String = "", of items: [Item], _ cells: (Item) -> [Cell]) {
        self.columns = columns
        self.whenEmpty = whenEmpty
        rows = items.map(cells)
        precondition(rows.allSatisfy { $0.count == columns.count }, "A row has one cell for each column.")
    }

    /// The lines, headings first, without trailing spaces.
    func text(_ style: Style) -> String {
        guard !rows.isEmpty else { return whenEmpty }
        return lines(style).joined(separator: "\n")
    }

    /// The headings and rows, even if there are no rows.
    func lines(_ style: Style) -> [String] {
        let heads = columns.map { Cell($0.title, .heading) }
        let table = [heads] + rows
        let widths = columns.indices.map { index in
            table.reduce(0) { max($0, TextWidth.columns(of: $1[index].text)) }
        }
        return table.map { line($0, widths: widths, style) }
    }

    private func line(_ cells: [Cell], widths: [Int], _ style: Style) -> String {
        // No padding after the last non-empty cell, so that lines have no trailing spaces.
        guard let last = cells.lastIndex(where: { !$0.text.isEmpty }) else { return "" }
        return cells.indices.prefix(through: last).map { index in
            let cell = cells[index]
            let padding = String(repeating: " ", count: widths[index] - TextWidth.columns(of: cell.text))
            let painted = style.paint(cell.text, cell.tone)
            if columns[index].isNumeric { return padding + painted }
            return index == last ? painted : painted + padding
        }.joined(separator: Self.gap)
    }
}

/// One item for people: its fields by name, one per line.
struct FieldList: Sendable {
    private var fields: [(name: String, cell: Table.Cell)] = []

    /// Adds a field; an empty one is omitted.
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

/// How many columns of a terminal a text takes.
enum TextWidth {
    /// Scripts whose characters take two columns: Unicode's East_Asian_Width W and F, without emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]

    /// Columns of a line without control characters.
    static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    /// 2 for East Asian wide characters and emoji, 0 for combining ones, else 1.
    static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        if scalars.contains(where: isWide) { return 2 }
        return scalars.allSatisfy(hasNoWidth) ? 0 : 1
    }

    /// As much of a line as fits, with an ellipsis if it is truncated.
    static func clip(_ text: String, to limit: Int) -> String {
        guard columns(of: text) > limit else { return text }
        var clipped = ""
        var width = 0
        for character in text {
            width += columns(of: character)
            guard width < limit else { break }
            clipped.append(character)
        }
        return limit > 0 ? clipped + "…" : ""
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        // U+FE0F selects the emoji form of the preceding character.
        if scalar.properties.isEmojiPresentation || scalar.value == 0xFE0F { return true }
        return wide.contains { $0.contains(scalar.value) }
    }

    private static func hasNoWidth(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: true
        default: false
        }
    }
}
