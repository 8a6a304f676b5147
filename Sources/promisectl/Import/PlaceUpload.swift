import PromisedClient
import PromisedCommandLine
import PromisedFormats
import PromisedPlaces
import PromisedProtocol
import PromisedWire

/// One import of a file into a server's directory.
///
/// Rows are sent while the file is read, with at most ``mostRequests`` requests unanswered. A failure, or a cancelled task,
/// leaves the import open: ``cancel()`` ends it.
actor PlaceUpload {
    /// The requests without a reply; the server allows no more.
    static let mostRequests = 4

    private let administration: any Administration
    private let options: PlaceImportOptions
    private let source: PlaceSource
    private var reader: PlaceFileReader
    private var progress: ImportProgress
    private var packer = PlacePacker()
    /// Full requests that wait for a reply to another: those of one piece of the file.
    private var waiting: [PlaceBatch] = []
    private(set) var refused = RefusedRows()
    /// The server's numbers so far.
    private var numbers = WireAdminImport()
    /// The import on the server; nil before it begins and after it ended.
    private var importID: String?
    /// `true` once the server has been requested to finish the import.
    private(set) var wasFinishing = false

    /// Throws `usage` if the file cannot be read.
    init(
        _ plan: PlaceFilePlan,
        options: PlaceImportOptions,
        to administration: any Administration,
        progress: ImportProgress
    ) throws(Failure) {
        source = plan.source
        self.options = options
        self.administration = administration
        self.progress = progress
        do throws(FormatError) {
            reader = try PlaceFileReader(plan)
        } catch {
            throw Failure(error)
        }
    }

    /// Runs the import to its end.
    ///
    /// - Returns: the summary; not finished if too many rows were refused.
    /// - Throws: ``Failure``, `usage` for a file that cannot be read as places.
    func run() async throws(Failure) -> PlaceImportSummary {
        // Finds a missing column before any request.
        try readPiece()
        let id = try await administration.ask(.beginImport(WireAdminBeginImport(source, options))).importID
        importID = id
        try await sendRows(into: id)
        guard !refused.exceed(percent: options.skipBad, of: reader.tally.rows) else {
            await cancel()
            return summary(isFinished: false)
        }
        wasFinishing = true
        numbers = try await administration.ask(.finishImport(id))
        importID = nil
        return summary(isFinished: true)
    }

    /// Cancels an import that was begun and not finished; the imported places stay.
    func cancel() async {
        progress.end()
        guard let id = importID else { return }
        importID = nil
        do throws(Failure) {
            _ = try await administration.ask(.cancelImport(id))
        } catch {
            // It has already ended, or the connection is lost: an import without rows expires on the server.
        }
    }

    // MARK: - Sending

    private func sendRows(into id: String) async throws(Failure) {
        let outcome: Result<Void, Failure> = await withTaskGroup(of: Result<Answer, Failure>.self) { group in
            do throws(Failure) {
                var unanswered = 0
                while let batch = try nextBatch() {
                    if unanswered == Self.mostRequests, let answer = await group.next() {
                        take(try answer.get())
                        unanswered -= 1
                    }
                    group.addTask { [administration] in await Answer.ask(administration, batch, into: id) }
                    unanswered += 1
                }
                for await answer in group { take(try answer.get()) }
                return .success(())
            } catch {
                group.cancelAll()
                return .failure(error)
            }
        }
        progress.end()
        try outcome.get()
    }

    private func take(_ answer: Answer) {
        for row in answer.reply.refusedRows where answer.lines.indices.contains(Int(row.index)) {
            let label = answer.labels[Int(row.index)]
            refused.add(line: answer.lines[Int(row.index)], reason: row.reason, field: row.field, label: label)
        }
        // Replies to requests sent together may arrive in another order.
        if answer.reply.rows >= numbers.rows { numbers = answer.reply }
        progress.show(rows: reader.tally.rows, share: reader.share)
    }

    // MARK: - Reading

    /// The next request; nil at the end of the file.
    private func nextBatch() throws(Failure) -> PlaceBatch? {
        while waiting.isEmpty {
            guard try readPiece() else { return packer.takeRest() }
        }
        return waiting.removeFirst()
    }

    /// Reads a piece of the file. Returns `false` at the end of the file.
    @discardableResult
    private func readPiece() throws(Failure) -> Bool {
        guard let outcomes = try nextPiece() else { return false }
        for outcome in outcomes { try take(outcome) }
        return true
    }

    private func nextPiece() throws(Failure) -> [PlaceRowOutcome]? {
        do throws(FormatError) {
            return try reader.next()
        } catch {
            throw Failure(error)
        }
    }

    private func take(_ outcome: PlaceRowOutcome) throws(Failure) {
        guard case .taken(let row) = outcome else {
            if case .refused(let refusal) = outcome { refused.add(refusal) }
            return
        }
        let place: ImportedPlace
        do throws(RowRefusal) {
            place = try ImportedPlace(row)
        } catch {
            var refusal = error
            refusal.label = RowLabel(row)
            return refused.add(refusal)
        }
        if let batch = try packer.add(WirePlaceRow(place), line: row.line, label: RowLabel(row)) {
            waiting.append(batch)
        }
    }

    private func summary(isFinished: Bool) -> PlaceImportSummary {
        var summary = PlaceImportSummary(source: source.name, dryRun: options.dryRun)
        summary.take(refused, of: reader.tally)
        summary.added = Int(numbers.added)
        summary.changed = Int(numbers.changed)
        summary.unchanged = Int(numbers.unchanged)
        summary.removed = Int(numbers.removed)
        summary.finished = isFinished
        return summary
    }
}

/// The server's reply to one request of rows.
private struct Answer: Sendable {
    /// The lines of the request's rows.
    var lines: [Int]
    /// Labels of the rows for people.
    var labels: [RowLabel]
    var reply: WireAdminImport

    static func ask(
        _ administration: any Administration,
        _ batch: PlaceBatch,
        into id: String
    ) async -> Result<Answer, Failure> {
        do throws(Failure) {
            let reply = try await administration.ask(.putPlaces(batch.rows, into: id))
            return .success(Answer(lines: batch.lines, labels: batch.labels, reply: reply))
        } catch {
            return .failure(error)
        }
    }
}

extension WireAdminImport {
    /// The number of rows that the server has accepted or refused so far.
    fileprivate var rows: UInt32 { added + changed + unchanged + refused }
}

extension WireAdminBeginImport {
    fileprivate init(_ source: PlaceSource, _ options: PlaceImportOptions) {
        self.init()
        self.source.name = source.name
        self.source.title = source.title
        self.source.publisher = source.publisher
        self.source.licence = source.licence
        self.source.url = source.url
        self.source.date = source.date
        if !source.timeZone.isEmpty { timeZone = source.timeZone }
        replace = options.replace
        maxRemovedPercent = UInt32(options.maxRemoved)
        dryRun = options.dryRun
    }
}

extension Failure {
    /// The failure of a file, a preset or an option of an import.
    init(_ error: FormatError) { self = .usage(error.description) }
}
