internal import GRDB
package import PromisedDomain

/// A part of a deletion: what its transaction took, and what the caller does about it.
package struct Erasure: Hashable, Sendable {
    /// The files whose rows are gone: the caller deletes their bytes.
    package var files: [FileID] = []
    /// The uploads whose rows are gone: the caller deletes their bytes.
    package var uploads: [UploadID] = []
    /// The promises that carried a deleted course and carry none now, each with that course: live sessions must forget it.
    package var promises: [PromiseID: CourseID] = [:]
    /// `true` if nothing is left to delete.
    package var isComplete = true
}

/// The rows that a part of a deletion may still change, those of cascades and triggers included.
///
/// Others' writes wait for a part, and what it changes is in memory: a thousand rows take some ten milliseconds.
struct ErasureRoom {
    /// The rows of a whole part.
    static let most = 1_000

    /// The rows of a query that are in memory.
    private static let fetched = 32

    /// The rows of the part that a request waits for.
    static let first = 100

    private let db: Database
    private let begin: Int
    private let most: Int
    private var pages = 0

    /// The room of a part that begins now, in the transaction of `db`.
    init(in db: Database, atMost most: Int = ErasureRoom.most) {
        self.db = db
        self.most = most
        begin = db.totalChangesCount
    }

    /// How many rows are left; at most 0 at the end of the part, when something may be left to delete.
    var left: Int { most - (db.totalChangesCount - begin) - pages }

    /// `true` if the part ends here.
    var isUsedUp: Bool { left <= 0 }

    /// Deletes things while there is room, a few rows of a query at a time. Unless the room is used up, none is left.
    ///
    /// - Parameters:
    ///   - query: the rows of the first things of `owner`, at most a number of them.
    ///   - delete: deletes the thing of a row.
    mutating func delete(
        _ query: String,
        of owner: any StoredValue,
        _ delete: (Row, inout ErasureRoom) throws -> Void
    ) throws {
        while !isUsedUp, case let rows = try db.rows(query, [owner, ErasureRoom.fetched]), !rows.isEmpty {
            for row in rows where !isUsedUp { try delete(row, &self) }
        }
    }

    /// The promises of a part: each has up to 80 people that must be looked at.
    static let promises = 32

    /// Notes promises whose people were looked at.
    mutating func look(at promises: Int) { pages += promises * ErasureRoom.most / ErasureRoom.promises / 2 }

    /// Notes the points of a deleted way, which are few rows on many pages of the database.
    mutating func take(points: Int) { pages += points / 200 }
}
