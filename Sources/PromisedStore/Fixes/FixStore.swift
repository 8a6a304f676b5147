package import PromisedDomain

/// The destination of a ``FixBuffer``: a ``FixStore`` or a test double.
package protocol FixSink: Sendable {
    /// Makes fixes durable, all or none; returns how many.
    @discardableResult
    func writeFixes(_ fixes: [PromiseID: [ArchivedFix]]) async throws(StoreError) -> Int

    /// Passes one device's durable fixes, and further ones, to `take`: in parts, sorted by time, then by number, each
    /// number once. Returns the last state.
    ///
    /// - Parameters:
    ///   - pending: the further fixes, whether or not they are also durable; sorted.
    ///   - state: the state that `take` changes.
    func fold<State: Sendable>(
        _ source: FixSource,
        with pending: [SettledFix],
        into state: State,
        _ take: @escaping @Sendable (inout State, [SettledFix]) -> Void
    ) async throws(StoreError) -> State
}

/// Reported positions.
package struct FixStore: StorePart, FixSink {
    let driver: any StoreDriver

    /// Writes fixes of any number of promises in one transaction: one row per promise, more if there are very many
    /// fixes.
    ///
    /// Skips fixes of promises that do not exist: they could never be read, and must not fail the whole write. Returns
    /// how many fixes were written.
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

    /// Passes one device's stored fixes to `take`, as ``FixSink`` says, on the database's thread: few are in memory at
    /// a time. Index `fix_by_promise`.
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

    /// All stored fixes of one participant, of any device, in any order, without the fixes in a ``FixBuffer``. Index
    /// `fix_by_promise`.
    package func fixes(of user: UserID, in promise: PromiseID) async throws(StoreError) -> [ArchivedFix] {
        try await readAtLength { db in
            try FixRecord.fetchAll(of: promise, where: { id, _ in id == user }, from: db)
        }
    }

    /// A page of a promise's stored positions in order of storing, without the fixes in a ``FixBuffer``. Index
    /// `fix_by_promise`.
    ///
    /// Reads the page's chunks and at most one more. New positions are appended, so consecutive pages show each
    /// position once.
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
    /// Overwrites them in the file, and empties the log, which may still contain them.
    ///
    /// Each transaction covers few promises, so other writes wait only briefly.
    ///
    /// - Parameter emptiesLog: `true` to empty the log even if nothing is deleted, for example after a call that failed
    ///   to.
    /// - Returns: the number of promises, and `false` if a reader prevented emptying the log.
    @discardableResult
    package func deleteFixes(
        ofPromisesFinalBefore instant: Instant,
        emptiesLog: Bool = false
    ) async throws(StoreError) -> (promises: Int, isLogEmpty: Bool) {
        let over = try await read { db in try FinishedPromiseRecord.fetch(finalBefore: instant, with: .fixes, from: db)
        }
        try await write(forEach: over) { promise, db in try FixRecord.delete(of: promise, from: db) }
        guard !over.isEmpty || emptiesLog else { return (0, true) }
        return (over.count, try await driver.truncateLog())
    }
}

package protocol HasFixes: Sendable {
    var fixes: FixStore { get }
}
