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
    /// has it, so it is deleted after a day.
    ///
    /// - Parameter file: the file, whose bytes are safe.
    /// - Throws: ``StoreError/broken(_:)`` if the user is unknown or deleted.
    package func addExport(_ file: StoredFile, at now: Instant) async throws(StoreError) {
        try await write { db in
            guard try AccountRecord.isAlive(file.userID, in: db) else {
                throw StoreError.broken("An export of a user without an account")
            }
            try FileRecord.insert(file, at: now, into: db)
        }
    }
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

    static let atWork = "SELECT user_id FROM export WHERE ready_at IS NULL ORDER BY requested_at"
}
