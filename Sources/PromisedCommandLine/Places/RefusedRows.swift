internal import Foundation
package import PromisedFormats

/// The refused rows of an import, for an operator.
package struct RefusedRows: Sendable {
    private struct Row: Sendable {
        var line: Int
        var reason: String
        var field: String
        var label: RowLabel

        /// Lines of several files say nothing about their order, numbers of rows do.
        var place: (Int, Int, Int) { (label.file.isEmpty ? 0 : label.row, line, label.row) }
    }

    private var rows: [Row] = []
    /// The numbers of refused rows by reason.
    package private(set) var counts: [String: Int] = [:]

    package init() {}

    package var count: Int { rows.count }

    /// Adds a row refused while reading the file.
    package mutating func add(_ refusal: RowRefusal) {
        add(line: refusal.line, reason: refusal.reason.rawValue, field: refusal.field ?? "", label: refusal.label)
    }

    /// Adds a row refused by the directory; the order of lines does not matter.
    package mutating func add(line: Int, reason: String, field: String, label: RowLabel = RowLabel()) {
        rows.append(Row(line: line, reason: reason, field: field, label: label))
        counts[reason, default: 0] += 1
    }

    /// `true` if the share of refused rows exceeds a limit, in percent, or no usable rows are left.
    package func exceed(percent: Int, of all: Int) -> Bool { count >= all || count * 100 > all * percent }

    /// CSV with a header: line, reason, field, number of the row, id, name and, if there are several, the file; in the
    /// order of the files and their lines. Contains no other data of the rows.
    package var csv: String {
        let sorted = rows.sorted { $0.place < $1.place }
        let records = sorted.map { row in
            let number = row.label.row == 0 ? "" : "\(row.label.row)"
            return ["\(row.line)", row.reason, row.field, number, row.label.ref, row.label.name, row.label.file]
        }
        let header = ["line", "reason", "field", "row", "ref", "name", "file"]
        return ([header] + records).map { CSVWriter.record($0) + "\n" }.joined()
    }

    /// Writes ``csv`` to a file, replacing an earlier one.
    ///
    /// - Throws: ``FormatError/badOption(reason:)`` if the file cannot be written.
    package func write(to path: String) throws(FormatError) {
        do {
            try Data(csv.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw .badOption(
                reason: "cannot write the refused rows to \(path): name a file in a folder that you may write to"
            )
        }
    }
}
