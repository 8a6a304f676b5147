internal import Foundation
internal import GRDB
internal import PromisedDomain

/// A row of `fix`: a chunk of one promise's fixes.
enum FixRecord {
    /// All fixes of a promise that are kept, in the order of their writing. Index `fix_by_promise`.
    static func fetchAll(
        of promise: PromiseID,
        where isWanted: (UserID, DeviceKey) -> Bool = { _, _ in true },
        from db: Database
    ) throws -> [ArchivedFix] {
        try db.rows("SELECT count, chunk FROM fix WHERE promise_id = ? ORDER BY id", [promise])
            .flatMap { row in try chunk(row).fixes(where: isWanted) }
    }

    /// The chunk in a row with `count` and `chunk`.
    static func chunk(_ row: Row) throws -> FixChunk {
        FixChunk(bytes: [UInt8](try row.value("chunk") as Data), count: try row.value("count"))
    }

    /// Adds a chunk of a promise.
    ///
    /// - Returns: whether the promise is there; without one nothing is written.
    @discardableResult
    static func insert(_ chunk: FixChunk, of promise: PromiseID, into db: Database) throws -> Bool {
        try db.run(
            """
            INSERT INTO fix (promise_id, count, chunk) SELECT id, ?, ? FROM promise WHERE id = ?
            """,
            [chunk.count, Data(chunk.bytes), promise]
        )
        return db.changesCount == 1
    }

    /// Deletes the fixes of at most `limit` promises that became final or were cancelled before an instant.
    ///
    /// Goes over the promises that have fixes, which are few: those of the last day or so.
    ///
    /// - Returns: of how many promises.
    static func delete(finalBefore instant: Instant, limit: Int, from db: Database) throws -> Int {
        let over: [PromiseID] = try db.rows(
            """
            SELECT kept.promise_id AS id FROM (SELECT DISTINCT promise_id FROM fix) AS kept
            JOIN promise ON promise.id = kept.promise_id
            LEFT JOIN result ON result.promise_id = kept.promise_id
            WHERE coalesce(result.final_at, promise.cancelled_at) < ? LIMIT ?
            """,
            [instant, limit]
        ).map { try $0.value("id") }
        for promise in over { try db.run("DELETE FROM fix WHERE promise_id = ?", [promise]) }
        return over.count
    }
}
