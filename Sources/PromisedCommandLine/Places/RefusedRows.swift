internal import Foundation
package import PromisedFormats

/// The rows of an import that became no places, for an operator.
package struct RefusedRows: Sendable {
    /// A refused row.
    private struct Row: Sendable {
        var line: Int
        var reason: String
        var field: String
    }

    private var rows: [Row] = []
    /// The numbers of refused rows by the word for the reason.
    package private(set) var counts: [String: Int] = [:]

    /// No rows.
    package init() {}

    /// The number of refused rows.
    package var count: Int { rows.count }

    /// Adds a row that the reading of the file refused.
    package mutating func add(_ refusal: RowRefusal) {
        add(line: refusal.line, reason: refusal.reason.rawValue, field: refusal.field ?? "")
    }

    /// Adds a row that the directory refused; in any order of lines.
    package mutating func add(line: Int, reason: String, field: String) {
        rows.append(Row(line: line, reason: reason, field: field))
        counts[reason, default: 0] += 1
    }

    /// `true` if more of all rows are refused than a share allows, in percent.
    package func exceed(percent: Int, of all: Int) -> Bool { count * 100 > all * percent }

    /// CSV with a header: line, reason, field; ascending by line. Has nothing of the rows themselves.
    package var csv: String {
        let sorted = rows.sorted { $0.line < $1.line }
        return "line,reason,field\n" + sorted.map { "\($0.line),\($0.reason),\($0.field)\n" }.joined()
    }

    /// Writes ``csv`` to a file, in place of an earlier one.
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
