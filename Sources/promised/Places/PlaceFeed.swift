import PromisedApplication
import PromisedCommandLine
import PromisedFormats
import PromisedPlaces

/// Passes the rows of a file, batch by batch, to an import into a data directory.
actor PlaceFeed {
    /// The rows per batch; the directory accepts no more at once.
    private static let batchRows = 1_000

    private let skipBad: Int
    private let showsProgress: Bool
    private var reader: PlaceFileReader
    private var waiting: [PromisedFormats.PlaceRow] = []
    /// The lines and labels of the rows in the last batch.
    private var lines: [(line: Int, label: RowLabel)] = []
    private var line = ProgressLine()
    private(set) var refused = RefusedRows()
    /// Why the file cannot be read to its end; nil if it can.
    private(set) var fault: FormatError?

    /// A feed from the start of the file of a plan.
    ///
    /// - Parameters:
    ///   - skipBad: the largest share of refused rows, in percent.
    ///   - showsProgress: `true` to write the progress to standard error.
    /// - Throws: ``FormatError``.
    init(_ plan: PlaceFilePlan, skipBad: Int, showsProgress: Bool) throws(FormatError) {
        self.skipBad = skipBad
        self.showsProgress = showsProgress
        reader = try PlaceFileReader(plan)
    }

    var tally: ImportTally { reader.tally }

    /// `true` if the share of refused rows is small enough.
    var mayFinish: Bool { !refused.exceed(percent: skipBad, of: reader.tally.rows) }

    /// Reads the first piece, so that a missing column is detected before anything is written.
    func begin() throws(FormatError) { _ = try readPiece() }

    /// The next batch; nil at the end of the file.
    func next() throws(FormatError) -> [ImportedPlace]? {
        do throws(FormatError) {
            while waiting.count < Self.batchRows, try readPiece() {}
        } catch {
            fault = error
            throw error
        }
        showProgress()
        while !waiting.isEmpty {
            let batch = takeBatch()
            if !batch.isEmpty { return batch }
        }
        return nil
    }

    /// Records the rows of the last batch that the directory refused.
    func note(_ rows: [RefusedPlaceRow]) {
        for row in rows {
            let (line, label) = lines[row.index]
            refused.add(line: line, reason: row.problem.reason.rawValue, field: row.problem.field, label: label)
        }
    }

    /// Erases the progress line.
    func endProgress() {
        if let text = line.end() { StandardError.writePart(text) }
    }

    /// Reads a piece of the file. Returns `false` at the end of the file.
    private func readPiece() throws(FormatError) -> Bool {
        guard let outcomes = try reader.next() else { return false }
        for outcome in outcomes {
            switch outcome {
            case .taken(let row): waiting.append(row)
            case .refused(let refusal): refused.add(refusal)
            }
        }
        return true
    }

    private func takeBatch() -> [ImportedPlace] {
        var batch: [ImportedPlace] = []
        lines = []
        for row in waiting.prefix(Self.batchRows) {
            do throws(RowRefusal) {
                batch.append(try ImportedPlace(row))
                lines.append((row.line, RowLabel(row)))
            } catch {
                var refusal = error
                refusal.label = RowLabel(row)
                refused.add(refusal)
            }
        }
        waiting.removeFirst(min(Self.batchRows, waiting.count))
        return batch
    }

    private func showProgress() {
        guard showsProgress, let text = line.update(rows: reader.tally.rows, share: reader.share) else { return }
        StandardError.writePart(text)
    }
}
