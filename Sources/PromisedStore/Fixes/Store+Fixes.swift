internal import GRDB
package import PromisedDomain

/// The destination of a ``FixBuffer``: a ``Store``, or a test's double.
package protocol FixSink: Sendable {
    /// Makes fixes durable, all or none; returns how many.
    @discardableResult
    func writeFixes(_ fixes: [PromiseID: [ArchivedFix]]) async throws(StoreError) -> Int

    /// Hands the durable fixes of one device, and further ones, to `take`: in parts, by time and then by number, each
    /// number once. Returns the last state of what it made of them.
    ///
    /// - Parameters:
    ///   - pending: the further ones, durable as well or not; sorted.
    ///   - state: what `take` changes.
    func fold<State: Sendable>(
        _ source: FixSource,
        with pending: [SettledFix],
        into state: State,
        _ take: @escaping @Sendable (inout State, [SettledFix]) -> Void
    ) async throws(StoreError) -> State
}

extension Store: FixSink {}

extension Store {
    /// Writes fixes of any number of promises in one transaction: one row for each promise, more for very many fixes.
    ///
    /// Skips fixes of promises that do not exist: they could never be read, and must not keep the others from being
    /// written. Returns how many fixes were written.
    @discardableResult
    package func writeFixes(_ fixes: [PromiseID: [ArchivedFix]]) async throws(StoreError) -> Int {
        let chunks = fixes.flatMap { promise, fixes in FixChunk.chunks(encoding: fixes).map { (promise, $0) } }
        guard !chunks.isEmpty else { return 0 }
        return try await write { db in
            var written = 0
            for (promise, chunk) in chunks where try FixRecord.insert(chunk, of: promise, into: db) {
                written += chunk.count
            }
            return written
        }
    }

    /// Hands the stored fixes of one device to `take`, as ``FixSink`` says, where the database is read: few are in memory
    /// at a time. Index `fix_by_promise`.
    package func fold<State: Sendable>(
        _ source: FixSource,
        with pending: [SettledFix],
        into state: State,
        _ take: @escaping @Sendable (inout State, [SettledFix]) -> Void
    ) async throws(StoreError) -> State {
        try await readAtLength { db in
            var state = state
            try OrderedFixes(of: source, with: pending, from: db).forEachPart(from: db) { take(&state, $0) }
            return state
        }
    }

    /// All stored fixes of one participant, of any device, in any order, without those that wait in a ``FixBuffer``.
    /// Index `fix_by_promise`.
    package func fixes(of user: UserID, in promise: PromiseID) async throws(StoreError) -> [ArchivedFix] {
        try await readAtLength { db in
            try FixRecord.fetchAll(of: promise, where: { id, _ in id == user }, from: db)
        }
    }

    /// A page of the stored positions of a promise in the order in which they were stored, without those that wait in a
    /// ``FixBuffer``. Index `fix_by_promise`.
    ///
    /// Reads the chunks on the page and at most one more. Positions that are stored later come behind all others, so pages
    /// that follow one another show each position once.
    ///
    /// - Parameters:
    ///   - cursor: the start of the page; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func positions(
        of promise: PromiseID,
        after cursor: FixCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<ArchivedFix, FixCursor> {
        let start = cursor ?? FixCursor(row: 0, place: 0)
        return try await read { db in try FixRecord.page(of: promise, from: start, limit: limit, from: db) }
    }

    /// Deletes the raw positions of promises whose result became final, or which were cancelled, before an instant.
    /// Overwrites them in the file, and empties the log, which may still hold them.
    ///
    /// Each transaction deletes few promises, so that other writes wait no longer than that.
    ///
    /// - Parameter emptiesLog: empties the log even if nothing is deleted, as after a call that could not.
    /// - Returns: the number of promises, and whether a reader kept the log from being emptied.
    @discardableResult
    package func deleteFixes(
        ofPromisesFinalBefore instant: Instant,
        emptiesLog: Bool = false
    ) async throws(StoreError) -> (promises: Int, isLogEmpty: Bool) {
        let over = try await read { db in try FinishedPromiseRecord.fetch(finalBefore: instant, with: .fixes, from: db)
        }
        try await delete(over) { promise, db in try FixRecord.delete(of: promise, from: db) }
        guard !over.isEmpty || emptiesLog else { return (0, true) }
        return (over.count, try await truncateLog())
    }

    /// Runs a deletion for each promise, few in each transaction.
    func delete(
        _ promises: [PromiseID],
        _ body: @escaping @Sendable (PromiseID, Database) throws -> Void
    ) async throws(StoreError) {
        for start in stride(from: 0, to: promises.count, by: Store.deletionBatch) {
            let batch = Array(promises[start..<min(start + Store.deletionBatch, promises.count)])
            try await write { db in for promise in batch { try body(promise, db) } }
        }
    }

    private static let deletionBatch = 16
}
