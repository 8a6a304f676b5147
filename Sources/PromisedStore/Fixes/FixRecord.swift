internal import Foundation
internal import PromisedDomain

/// A row of `fix`: a chunk of one promise's fixes.
enum FixRecord {
    /// All stored fixes of a promise, in order of writing. Index `fix_by_promise`.
    static func fetchAll(
        of promise: PromiseID,
        where isWanted: (UserID, DeviceKey) -> Bool = { _, _ in true },
        from db: SQLConnection
    ) throws -> [ArchivedFix] {
        var fixes: [ArchivedFix] = []
        try forEachChunk(of: promise, where: isWanted, from: db) { fixes += $0 }
        return fixes
    }

    /// How many fixes of a promise are stored. Index `fix_by_promise`.
    static func count(of promise: PromiseID, from db: SQLConnection) throws -> Int {
        try db.row("SELECT coalesce(sum(count), 0) AS count FROM fix WHERE promise_id = ?", [promise])?.value("count")
            ?? 0
    }

    /// The stored fixes of a promise, chunk by chunk in order of writing; one chunk in memory at a time. Index
    /// `fix_by_promise`.
    static func forEachChunk(
        of promise: PromiseID,
        where isWanted: (UserID, DeviceKey) -> Bool = { _, _ in true },
        from db: SQLConnection,
        _ body: ([ArchivedFix]) -> Void
    ) throws {
        let rows = try db.cursor("SELECT count, chunk FROM fix WHERE promise_id = ? ORDER BY id", [promise])
        while let row = try rows.next() { body(try chunk(row).fixes(where: isWanted)) }
    }

    /// A page of a promise's stored fixes from a position on, in order of writing. Reads the page's chunks and at most
    /// one more, one chunk in memory at a time. Index `fix_by_promise`.
    static func page(
        of promise: PromiseID,
        from start: FixCursor,
        limit: Int,
        from db: SQLConnection
    ) throws -> Page<ArchivedFix, FixCursor> {
        var page = Page<ArchivedFix, FixCursor>(items: [], next: nil)
        let rows = try db.cursor(pageQuery, [promise, start.row])
        while let row = try rows.next() {
            let id: Int = try row.value("id")
            let fixes = try chunk(row).fixes()
            let shown = id == start.row ? start.place : 0
            let missing = limit - page.items.count
            page.items += fixes.dropFirst(shown).prefix(missing)
            guard fixes.count - shown <= missing else {
                page.next = FixCursor(row: id, place: shown + missing)
                break
            }
        }
        return page
    }

    static let pageQuery = "SELECT id, count, chunk FROM fix WHERE promise_id = ? AND id >= ? ORDER BY id"

    static func chunk(_ row: SQLRow) throws -> FixChunk {
        FixChunk(bytes: [UInt8](try row.value("chunk") as Data), count: try row.value("count"))
    }

    /// Adds a chunk of a promise. Returns `false`, with nothing written, if the promise does not exist.
    @discardableResult
    static func insert(_ chunk: FixChunk, of promise: PromiseID, into db: SQLConnection) throws -> Bool {
        try db.run(
            """
            INSERT INTO fix (promise_id, count, chunk) SELECT id, ?, ? FROM promise WHERE id = ?
            """,
            [chunk.count, Data(chunk.bytes), promise]
        )
        return db.changesCount == 1
    }

    static func delete(of promise: PromiseID, from db: SQLConnection) throws {
        try db.run("DELETE FROM fix WHERE promise_id = ?", [promise])
    }
}
