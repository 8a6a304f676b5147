internal import Foundation
internal import GRDB
package import PromisedDomain

/// A row of `fix`: a chunk of one promise's fixes.
enum FixRecord {
    /// All stored fixes of a promise, in order of writing. Index `fix_by_promise`.
    static func fetchAll(
        of promise: PromiseID,
        where isWanted: (UserID, DeviceKey) -> Bool = { _, _ in true },
        from db: Database
    ) throws -> [ArchivedFix] {
        var fixes: [ArchivedFix] = []
        try forEachChunk(of: promise, where: isWanted, from: db) { fixes += $0 }
        return fixes
    }

    /// How many fixes of a promise are stored. Index `fix_by_promise`.
    static func count(of promise: PromiseID, from db: Database) throws -> Int {
        try db.row("SELECT coalesce(sum(count), 0) AS count FROM fix WHERE promise_id = ?", [promise])?.value("count")
            ?? 0
    }

    /// The stored fixes of a promise, chunk by chunk in order of writing; only one is in memory. Index
    /// `fix_by_promise`.
    static func forEachChunk(
        of promise: PromiseID,
        where isWanted: (UserID, DeviceKey) -> Bool = { _, _ in true },
        from db: Database,
        _ body: ([ArchivedFix]) -> Void
    ) throws {
        let rows = try db.cursor("SELECT count, chunk FROM fix WHERE promise_id = ? ORDER BY id", [promise])
        while let row = try rows.next() { body(try chunk(row).fixes(where: isWanted)) }
    }

    /// The bytes of a promise's chunks in order of writing, where they lie. Index `fix_by_promise`.
    static func forEachPackedChunk(
        of promise: PromiseID,
        from db: Database,
        _ body: (Span<UInt8>) throws -> Void
    ) throws {
        let rows = try db.cursor("SELECT chunk FROM fix WHERE promise_id = ? ORDER BY id", [promise])
        while let row = try rows.next() { try row.withUnsafeData(atIndex: 0) { try body(($0 ?? Data()).span) } }
    }

    static func chunk(_ row: Row) throws -> FixChunk {
        FixChunk(bytes: [UInt8](try row.value("chunk") as Data), count: try row.value("count"))
    }

    /// Adds a chunk of a promise. Returns `true` if the promise exists; otherwise nothing is written.
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

    static func delete(of promise: PromiseID, from db: Database) throws {
        try db.run("DELETE FROM fix WHERE promise_id = ?", [promise])
    }
}

/// The end of a page of stored positions, which are listed by user, device, time, number and writing.
package struct FixCursor: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The user of the last position shown.
    package var userID: UserID
    /// The number of its device, from 1.
    package var device: Int
    /// Its time.
    package var time: Instant
    /// Its own number.
    package var seq: UInt32
    /// Its place among the user's positions in the order in which they were written, from 1: a device that counts wrongly
    /// has several with one time and number.
    package var order: Int

    /// A cursor behind a position.
    package init(userID: UserID, device: Int, time: Instant, seq: UInt32, order: Int) {
        self.userID = userID
        self.device = device
        self.time = time
        self.seq = seq
        self.order = order
    }

    /// A cursor from its opaque text; nil for any other text.
    package init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == FixCursor.kind else { return nil }
        let numbers = parts.text.split(separator: " ", omittingEmptySubsequences: false)
        guard numbers.count == 3, let device = Int(numbers[0]), let seq = UInt32(numbers[1]),
            let order = Int(numbers[2])
        else { return nil }
        self.init(
            userID: UserID(high: parts.id.high, low: parts.id.low),
            device: device,
            time: Instant(milliseconds: parts.number),
            seq: seq,
            order: order
        )
    }

    /// The opaque text: letters, digits, `-` and `_`.
    package var description: String {
        CursorText(
            kind: FixCursor.kind,
            number: time.milliseconds,
            id: (userID.high, userID.low),
            text: "\(device) \(seq) \(order)"
        ).description
    }

    /// By user, device, time, number and writing.
    package static func < (left: FixCursor, right: FixCursor) -> Bool {
        (left.userID, left.device, left.time, left.seq, left.order)
            < (right.userID, right.device, right.time, right.seq, right.order)
    }

    private static let kind = UInt8(ascii: "x")
}
