/// A table for people: columns aligned, as wide as their widest cell.
struct Table: Sendable {
    /// A column's head.
    struct Column: Sendable {
        var title: String
        var isNumeric: Bool

        /// A column of text.
        static func text(_ title: String) -> Column { Column(title: title, isNumeric: false) }
        /// A column aligned on the right.
        static func number(_ title: String) -> Column { Column(title: title, isNumeric: true) }
    }

    /// What stands in one place.
    struct Cell: Sendable, ExpressibleByStringInterpolation {
        let text: String
        let tone: Tone

        /// A cell; what could move the cursor is taken out of its text.
        init(_ text: String, _ tone: Tone = .plain) {
            self.text = text.printable
            self.tone = tone
        }

        init(stringLiteral value: String) { self.init(value) }
    }

    private static let gap = "  "

    let columns: [Column]
    private(set) var rows: [[Cell]] = []
    /// What stands instead of a table without rows.
    let whenEmpty: String

    init(_ columns: [Column], whenEmpty: String) {
        self.columns = columns
        self.whenEmpty = whenEmpty
    }

    /// Adds a row of as many cells as there are columns.
    mutating func add(_ cells: [Cell]) {
        precondition(cells.count == columns.count, "A row has one cell for each column.")
        rows.append(cells)
    }

    /// The lines, headings first, each ended at its last visible character.
    func text(_ style: Style) -> String {
        guard !rows.isEmpty else { return whenEmpty }
        return lines(style).joined(separator: "\n")
    }

    /// The headings and rows, also when there are none.
    func lines(_ style: Style) -> [String] {
        let heads = columns.map { Cell($0.title, .heading) }
        let table = [heads] + rows
        let widths = columns.indices.map { index in
            table.reduce(0) { max($0, TextWidth.columns(of: $1[index].text)) }
        }
        return table.map { line($0, widths: widths, style) }
    }

    private func line(_ cells: [Cell], widths: [Int], _ style: Style) -> String {
        // Nothing is padded after the last cell that holds something, so that no line ends in spaces.
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
