import PromisedProtocol

/// The final table as text.
struct ResultTable: Sendable {
    let result: WireResult

    /// A line of headings, a line per row, and the total of penalties, if any.
    var text: String {
        let headings = ["rank", "name", "outcome", "credited", "from meeting", "source", "owes"]
        let rows = [headings] + result.rows.map(cells)
        let widths = headings.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
                .trimmingEnd
        }
        let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
        let total = result.penaltyTotal > 0 ? ["", "together: \(amount(result.penaltyTotal))"] : []
        return (lines.prefix(1) + [rule] + lines.dropFirst() + total).joined(separator: "\n")
    }

    private func cells(_ row: WireResultRow) -> [String] {
        [
            row.rank == 0 ? "-" : "\(row.rank)",
            row.user.nickname,
            ResultTable.english(row.outcome),
            row.hasCreditedAt ? ClockText.time(row.creditedAt) : "-",
            row.hasCreditedAt ? ClockText.offset(seconds: Int(row.secondsFromMeeting)) : "-",
            ResultTable.english(row.source),
            row.penaltyOwed > 0 ? amount(row.penaltyOwed) : "-",
        ]
    }

    private func amount(_ minor: Int32) -> String { "\(minor) \(result.penalty.currency)" }

    static func english(_ outcome: WireOutcome.Value) -> String {
        switch outcome {
        case .early: "early"
        case .onTime: "on time"
        case .late: "late"
        case .noShow: "no-show"
        case .left: "left"
        case .excused: "excused"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    private static func english(_ source: WireArrivalSource.Value) -> String {
        switch source {
        case .gps: "gps"
        case .self_: "self"
        case .peer: "peer"
        case .owner: "owner"
        case .unspecified, .UNRECOGNIZED: "-"
        }
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var rest = Substring(self)
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
