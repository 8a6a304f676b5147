import ArgumentParser
import PromisedApplication

/// `promised token list`.
struct TokenListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the tokens, newest first, the revoked and expired ones as well.",
        discussion: "Example: promised token list --data /var/lib/promised"
    )

    @Flag(help: "One JSON document instead of a table.")
    var json = false

    @OptionGroup var options: DataOptions

    func run() async throws {
        let maintenance = try options.maintenance()
        let tokens = try await Maintaining.attempt { () async throws(MaintenanceError) in
            try await maintenance.tokens()
        }.map { TokenDocument($0) }
        guard !json else { return try JSONOutput.write(["tokens": tokens]) }
        for line in TextTable.lines([TokenDocument.head] + tokens.map(\.row)) { StandardOutput.write(line) }
    }
}

/// Columns as wide as their widest cell.
enum TextTable {
    /// The rows as lines, two spaces between columns, none at the end.
    static func lines(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { index, cell in
                index == row.count - 1 ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - cell.0.count)
            }
            return cells.joined(separator: "  ")
        }
    }
}
