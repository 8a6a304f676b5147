import Foundation

/// A table of `docs/coverage.md`: rules, and the tests that prove them.
///
/// The first cell of a row names it, the last one holds tests as `` `Suite/name of the test` ``, or the word `open`.
struct CoverageTable {
    /// One line of a table.
    struct Row: Equatable {
        /// The first cell, without backticks.
        var name: String
        /// `Suite/name of the test`, in the order of the cell.
        var tests: [String]
        /// Whether nothing proves it yet.
        var isOpen: Bool

        /// Whether the last cell holds tests or the word `open`, and not both.
        var isSound: Bool { tests.isEmpty == isOpen }
    }

    /// The heading above the table.
    var title: String
    var rows: [Row] = []

    /// The tables of a Markdown text, in its order; headings without a table are left out.
    static func all(in markdown: String) -> [CoverageTable] {
        var tables: [CoverageTable] = []
        for line in markdown.split(separator: "\n") {
            if line.hasPrefix("#") {
                tables.append(CoverageTable(title: String(line.drop { $0 == "#" }.dropFirst())))
            } else if line.hasPrefix("| "), !tables.isEmpty {
                tables[tables.count - 1].rows.append(row(of: line))
            }
        }
        // The first row of each table is its head.
        return tables.filter { !$0.rows.isEmpty }.map { table in
            CoverageTable(title: table.title, rows: Array(table.rows.dropFirst()))
        }
    }

    private static func row(of line: Substring) -> Row {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { cell in
            cell.trimmingCharacters(in: .whitespaces)
        }
        let proof = cells.last ?? ""
        return Row(
            name: (cells.first ?? "").replacing("`", with: ""),
            tests: proof.matches(of: /`([^`]+)`/).map { String($0.1) },
            isOpen: proof == "open"
        )
    }
}
