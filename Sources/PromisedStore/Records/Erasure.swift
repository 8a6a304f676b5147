package import PromisedDomain
package import PromisedJournal

/// A part of a deletion: what its transaction removed, and what the caller must do.
package struct Erasure: Hashable, Sendable {
    /// The files whose rows were deleted: the caller deletes their bytes.
    package var files: [FileID] = []
    /// The uploads whose rows were deleted: the caller deletes their bytes.
    package var uploads: [UploadID] = []
    /// The promises that lost their course because it was deleted, each with that course: live sessions must remove it.
    package var promises: [PromiseID: CourseID] = [:]
    /// `true` if nothing is left to delete.
    package var isComplete = true
}

/// How many more rows a part of a deletion may change, including cascades and triggers.
///
/// Other writes wait for the part, and its changes are held in memory: a thousand rows take about ten milliseconds.
struct ErasureRoom {
    /// The most rows of a part.
    static let most = 1_000

    /// How many rows of a query are fetched at a time.
    private static let fetched = 32

    /// The rows of the part that a request waits for.
    static let first = 100

    private let db: SQLConnection
    private let begin: Int
    private let most: Int
    private var pages = 0

    /// The allowance of a part that begins now, in the transaction of `db`.
    init(in db: SQLConnection, atMost most: Int = ErasureRoom.most) {
        self.db = db
        self.most = most
        begin = db.totalChangesCount
    }

    /// How many rows are left; 0 or less at the end of the part, when more may be left to delete.
    var left: Int { most - (db.totalChangesCount - begin) - pages }

    /// `true` if the part ends here.
    var isUsedUp: Bool { left <= 0 }

    /// Deletes items within the allowance, a few rows of a query at a time. If the allowance is not used up, all items
    /// are deleted.
    ///
    /// - Parameters:
    ///   - query: selects the first items of `owner`, up to a limit.
    ///   - delete: deletes the item in a row.
    mutating func delete(
        _ query: String,
        of owner: any StoredValue,
        _ delete: (SQLRow, inout ErasureRoom) throws -> Void
    ) throws {
        while !isUsedUp, case let rows = try db.rows(query, [owner, ErasureRoom.fetched]), !rows.isEmpty {
            for row in rows where !isUsedUp { try delete(row, &self) }
        }
    }

    /// The most promises of a part: each has up to 80 participants to check.
    static let promises = 32

    /// Counts promises whose participants were checked.
    mutating func look(at promises: Int) { pages += promises * ErasureRoom.most / ErasureRoom.promises / 2 }

    /// Counts the points of a deleted way, which are few rows on many pages.
    mutating func take(points: Int) { pages += points / 200 }
}
