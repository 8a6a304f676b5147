package import PromisedFormats

/// The outcome of an import, or of a dry run, for an operator.
package struct PlaceImportSummary: Hashable, Sendable, Encodable {
    /// The name of the source.
    package var source: String
    /// The rows of the file, without a header.
    package var rows = 0
    /// New places, and removed ones that were restored.
    package var added = 0
    /// Places with other content than before.
    package var changed = 0
    /// Unchanged places.
    package var unchanged = 0
    /// Places missing from the file.
    package var removed = 0
    package var refused = 0
    /// The numbers of refused rows by reason.
    package var refusedBy: [String: Int] = [:]
    /// The number of websites and social links that are no web address, and were left out.
    package var omittedLinks = 0
    /// `true` if nothing was written.
    package var dryRun: Bool
    /// `false` if too many rows were refused or there were none: then no place was removed.
    package var finished = false
    /// A sentence about a probable mistake in the mapping; nil if there is none.
    package var advice: String?

    /// An empty summary.
    package init(source: String, dryRun: Bool) {
        self.source = source
        self.dryRun = dryRun
    }

    /// Adds the refused rows and the number of all rows.
    ///
    /// - Parameter tally: of the whole file.
    package mutating func take(_ refusedRows: RefusedRows, of tally: ImportTally) {
        rows = tally.rows
        refused = refusedRows.count
        refusedBy = refusedRows.counts
        omittedLinks = tally.omittedLinks
        advice = tally.advice
    }

    /// The numbers with their names, in display order.
    package var fields: [(name: String, value: String)] {
        let reasons = refusedBy.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        return [
            ("source", source), ("rows", "\(rows)"), ("added", "\(added)"), ("changed", "\(changed)"),
            ("unchanged", "\(unchanged)"), ("removed", "\(removed)"),
            ("refused", reasons.isEmpty ? "0" : "\(refused) (\(reasons.joined(separator: ", ")))"),
        ]
    }

    /// Sentences that explain the numbers; empty for an ordinary import.
    ///
    /// - Parameter skipBad: the largest share of refused rows, in percent.
    package func remarks(skipBad: Int) -> [String] {
        var remarks: [String] = []
        if !finished {
            remarks.append(unfinished(skipBad: skipBad))
            if let reason = mainReason, advice == nil { remarks.append(reason) }
        } else if dryRun {
            remarks.append("dry run: nothing was written")
        }
        if let advice { remarks.append(advice) }
        if omittedLinks > 0 {
            remarks.append(
                """
                \(omittedLinks) websites or social links are no web address and were left out; for names of accounts, the \
                preset has the step handle
                """
            )
        }
        return remarks
    }

    private func unfinished(skipBad: Int) -> String {
        let removed = dryRun ? "nothing would be removed" : "nothing was removed"
        if rows == 0 { return "not finished: the file has no rows; \(removed)." }
        if refused >= rows {
            return "not finished: all \(rows) rows are refused; \(removed). Correct the mapping or the file."
        }
        let rest = dryRun ? removed : "\(removed), and the places that were taken stay"
        return """
            not finished: \(refused) of \(rows) rows are refused, more than \(skipBad) %; \(rest). Correct the mapping \
            or the file, or allow more with --skip-bad.
            """
    }

    /// The reason for most of the refused rows; nil if there are none, and for a reason that only a later server knows.
    private var mainReason: String? {
        let most = refusedBy.max { ($0.value, $1.key) < ($1.value, $0.key) }
        guard let (word, count) = most, let reason = RowRefusal.Reason(rawValue: word) else { return nil }
        return "\(count) of them are \(word): \(reason.sentence)"
    }
}

extension RowRefusal.Reason {
    /// The fault of the rows, and where to look for it.
    fileprivate var sentence: String {
        switch self {
        case .noName: "they have no name; look at the column of name in --map or in the preset"
        case .noPosition: "they have no position; look at the columns of latitude and longitude"
        case .badPosition:
            "their positions are not numbers or out of range; look at the columns of latitude and longitude, and --crs"
        case .nullIsland: "their positions are 0, 0; look at the columns of latitude and longitude"
        case .outside: "their positions are outside of --bounds"
        case .duplicate: "earlier rows of the file have the same ref; look at the column of ref"
        case .noCategory: "they have no category, or one that is unknown; use --category"
        case .columns: "they have more fields than the header, or are not JSON objects; look at --delimiter"
        case .encoding: "they have bytes that are no text in the encoding of the file; use --encoding"
        case .text: "a text is too long or has characters that are not allowed; --report names the fields"
        }
    }
}
