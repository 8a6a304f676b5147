internal import GRDB
package import PromisedDomain

/// The outcome of a request for an export of a user's data.
package enum ExportRequest: Hashable, Sendable {
    /// A new one begins. The files are those of the one before; the caller deletes the bytes.
    case begun(obsolete: [FileID])
    /// The one that began at this instant is not ready yet.
    case working(since: Instant)
    /// It is ready.
    case ready(StoredFile)
    /// The file of the last one is gone, and the next one may begin at this instant.
    case tooEarly(until: Instant)
}

extension Store {
    /// How long after one export of a user the next may begin.
    package static let exportInterval = TimeSpan.hours(24)

    /// Begins an export of a user's data unless one is at work or began less than ``exportInterval`` ago. Primary key.
    ///
    /// - Throws: ``StoreError/broken(_:)`` if the user is unknown or deleted.
    package func requestExport(of user: UserID, at now: Instant) async throws(StoreError) -> ExportRequest {
        try await write { db in
            guard try AccountRecord.isAlive(user, in: db) else {
                throw StoreError.broken("An export of a user without an account")
            }
            guard let last = try ExportRecord(of: user, from: db) else {
                try ExportRecord.begin(of: user, at: now, in: db)
                return .begun(obsolete: [])
            }
            guard last.readyAt != nil else { return .working(since: last.requestedAt) }
            let next = last.requestedAt + Store.exportInterval
            if now < next {
                let file = try last.fileID.flatMap { try FileRecord.fetch($0, from: db) }
                return file.map { .ready($0.file) } ?? .tooEarly(until: next)
            }
            let obsolete = last.fileID.map { [$0] } ?? []
            try FileRecord.delete(obsolete, from: db)
            try ExportRecord.begin(of: user, at: now, in: db)
            return .begun(obsolete: obsolete)
        }
    }

    /// Ends the export that is at work for the file's user, in one transaction. Primary key.
    ///
    /// - Parameter file: the file, whose bytes are safe.
    /// - Returns: `false` with nothing written if no export is at work, because the account was deleted: the caller
    ///   deletes the bytes then.
    package func finishExport(as file: StoredFile, at now: Instant) async throws(StoreError) -> Bool {
        try await write { db in
            guard let export = try ExportRecord(of: file.userID, from: db), export.readyAt == nil else { return false }
            try FileRecord.insert(file, at: now, into: db)
            try db.run(
                "UPDATE export SET ready_at = ?, file_id = ? WHERE user_id = ?",
                [now, file.id, file.userID]
            )
            return true
        }
    }

    /// Forgets the export that is at work for a user, because it failed: the user may ask again at once. Primary key.
    package func dropExport(of user: UserID) async throws(StoreError) {
        try await write { db in
            try db.run("DELETE FROM export WHERE user_id = ? AND ready_at IS NULL", [user])
        }
    }

    /// The users with an export at work, in the order of the requests: for the start of the server. Index
    /// `export_at_work`.
    package func exportsAtWork() async throws(StoreError) -> [UserID] {
        try await read { db in try db.rows(ExportRecord.atWork).map { try $0.value("user_id") } }
    }

    /// Adds a file that the server made for a user beside ``requestExport(of:at:)``, such as a course as GPX; no item
    /// has it, so it is deleted after a day. Index `file_by_user`.
    ///
    /// - Parameters:
    ///   - file: the file, whose bytes are safe.
    ///   - bytes: the most bytes of such files of a user. The oldest give way until the new one fits, or is alone, and is
    ///     the last of ``mostExports``.
    /// - Returns: the files that gave way; the caller deletes the bytes.
    /// - Throws: ``StoreError/broken(_:)`` if the user is unknown or deleted.
    @discardableResult
    package func addExport(
        _ file: StoredFile,
        within bytes: Int64 = .max,
        at now: Instant
    ) async throws(StoreError) -> [FileID] {
        try await write { db in
            guard try AccountRecord.isAlive(file.userID, in: db) else {
                throw StoreError.broken("An export of a user without an account")
            }
            let obsolete = try ExportRecord.files(thatGiveWayTo: file, within: bytes, in: db)
            try FileRecord.delete(obsolete, from: db)
            try FileRecord.insert(file, at: now, into: db)
            return obsolete
        }
    }

    /// The most files of a user that ``addExport(_:within:at:)`` keeps.
    package static let mostExports = 100
}

/// A row of `export`.
struct ExportRecord {
    var requestedAt: Instant
    var readyAt: Instant?
    var fileID: FileID?

    /// The last export of a user; nil if there is none. Primary key.
    init?(of user: UserID, from db: Database) throws {
        guard let row = try db.row("SELECT * FROM export WHERE user_id = ?", [user]) else { return nil }
        requestedAt = try row.value("requested_at")
        readyAt = try row.value("ready_at")
        fileID = try row.value("file_id")
    }

    /// Replaces the last export of a user by one at work. Primary key.
    static func begin(of user: UserID, at now: Instant, in db: Database) throws {
        try db.run("INSERT OR REPLACE INTO export (user_id, requested_at) VALUES (?, ?)", [user, now])
    }

    /// The exports of a user beside the one of their data, from the first that does not fit beside a new one, latest
    /// first. Index `file_by_user`.
    static func files(thatGiveWayTo new: StoredFile, within limit: Int64, in db: Database) throws -> [FileID] {
        let others = try db.rows(besideData, [new.userID, StoredFile.Kind.export.rawValue])
        var (kept, used) = (1, new.bytes)
        for row in others {
            let bytes: Int64 = try row.value("bytes")
            guard kept < Store.mostExports, bytes <= limit - used else { break }
            (kept, used) = (kept + 1, used + bytes)
        }
        return try others.dropFirst(kept - 1).map { try $0.value("id") }
    }

    /// The exports of a user beside the one of their data, the latest first.
    static let besideData = """
        SELECT id, bytes FROM file WHERE user_id = ? AND kind = ?
            AND NOT EXISTS (SELECT 1 FROM export WHERE file_id = file.id)
        ORDER BY created_at DESC, id DESC
        """

    static let atWork = "SELECT user_id FROM export WHERE ready_at IS NULL ORDER BY requested_at"
}
