package import PromisedDomain

/// The outcome of a request for an export of a user's data.
package enum ExportRequest: Hashable, Sendable {
    /// A new export begins. The files belong to the previous one; the caller deletes their bytes.
    case begun(obsolete: [FileID])
    /// The export that began at this instant is not ready yet.
    case working(since: Instant)
    case ready(StoredFile)
    /// The file of the last export has been deleted, and the next export may begin at this instant.
    case tooEarly(until: Instant)
}

/// An export that is in progress or queued.
package struct PendingExport: Hashable, Sendable {
    package let userID: UserID
    /// The instant of the request, or slightly later if a deletion restarted the export. Unique per user.
    package let since: Instant

    package init(of userID: UserID, since: Instant) {
        (self.userID, self.since) = (userID, since)
    }
}

extension Store {
    /// The minimum time between the beginnings of two exports of a user.
    package static let exportInterval = TimeSpan.hours(24)

    /// Begins an export of a user's data unless one is in progress or began less than ``exportInterval`` ago. Primary
    /// key.
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

    /// Finishes an export, in one transaction. Primary key.
    ///
    /// - Parameter file: the file, whose bytes are already durable.
    /// - Returns: `false`, with nothing written, if the export is no longer in progress: the caller deletes the bytes.
    package func finish(
        _ export: PendingExport,
        as file: StoredFile,
        at now: Instant
    ) async throws(StoreError) -> Bool {
        try await write { db in
            guard try ExportRecord.isAtWork(export, in: db) else { return false }
            try FileRecord.insert(file, at: now, into: db)
            try db.run(
                "UPDATE export SET ready_at = ?, file_id = ? WHERE user_id = ?",
                [now, file.id, file.userID]
            )
            return true
        }
    }

    /// Deletes the user's export in progress because it failed: the user may request one again at once. Primary key.
    package func dropExport(of user: UserID) async throws(StoreError) {
        try await write { db in
            try db.run("DELETE FROM export WHERE user_id = ? AND ready_at IS NULL", [user])
        }
    }

    /// The exports in progress, in order of request. Index `export_at_work`.
    package func exportsAtWork() async throws(StoreError) -> [PendingExport] {
        try await read { db in
            try db.rows(ExportRecord.atWork).map {
                PendingExport(of: try $0.value("user_id"), since: try $0.value("requested_at"))
            }
        }
    }

    /// `false` if the export must be abandoned: its account was deleted, or some of the data it may contain, so that it
    /// restarts. Primary key.
    package func isAtWork(_ export: PendingExport) async throws(StoreError) -> Bool {
        try await read { db in try ExportRecord.isAtWork(export, in: db) }
    }

    /// Adds a file that the server made for a user apart from ``requestExport(of:at:)``, such as a course as GPX. It
    /// has no item, so it is deleted after a day. Index `file_by_user`.
    ///
    /// - Parameters:
    ///   - file: the file, whose bytes are already durable.
    ///   - bytes: the most bytes of such files per user. The oldest are deleted until the new one fits or is the only
    ///     one, and at
    ///     most ``mostExports`` are left.
    /// - Returns: the deleted files; the caller deletes their bytes.
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

    /// The most files per user that ``addExport(_:within:at:)`` keeps.
    package static let mostExports = 100
}

/// A row of `export`.
struct ExportRecord {
    var requestedAt: Instant
    var readyAt: Instant?
    var fileID: FileID?

    /// The last export of a user; nil if they have none. Primary key.
    init?(of user: UserID, from db: SQLConnection) throws {
        guard let row = try db.row("SELECT * FROM export WHERE user_id = ?", [user]) else { return nil }
        requestedAt = try row.value("requested_at")
        readyAt = try row.value("ready_at")
        fileID = try row.value("file_id")
    }

    /// Replaces the last export of a user by a new one in progress. Primary key.
    static func begin(of user: UserID, at now: Instant, in db: SQLConnection) throws {
        try db.run("INSERT OR REPLACE INTO export (user_id, requested_at) VALUES (?, ?)", [user, now])
    }

    /// `true` if the export is in progress and has not restarted. Primary key.
    static func isAtWork(_ export: PendingExport, in db: SQLConnection) throws -> Bool {
        guard let last = try ExportRecord(of: export.userID, from: db) else { return false }
        return last.readyAt == nil && last.requestedAt == export.since
    }

    /// Restarts the user's export in progress, at the end of the queue. Primary key, index `export_at_work`.
    static func beginAgain(of user: UserID, in db: SQLConnection) throws {
        try db.run(again, [user])
    }

    /// The user's exports, except the one of their data, that must be deleted to make room for a new one, newest first.
    /// Index `file_by_user`.
    static func files(thatGiveWayTo new: StoredFile, within limit: Int64, in db: SQLConnection) throws -> [FileID] {
        let others = try db.rows(besideData, [new.userID, StoredFile.Kind.export.rawValue])
        var (kept, used) = (1, new.bytes)
        for row in others {
            let bytes: Int64 = try row.value("bytes")
            guard kept < Store.mostExports, bytes <= limit - used else { break }
            (kept, used) = (kept + 1, used + bytes)
        }
        return try others.dropFirst(kept - 1).map { try $0.value("id") }
    }

    /// The user's exports, except the one of their data, newest first.
    static let besideData = """
        SELECT id, bytes FROM file WHERE user_id = ? AND kind = ?
            AND NOT EXISTS (SELECT 1 FROM export WHERE file_id = file.id)
        ORDER BY created_at DESC, id DESC
        """

    static let atWork = "SELECT user_id, requested_at FROM export WHERE ready_at IS NULL ORDER BY requested_at"

    static let again = """
        UPDATE export SET requested_at = 1 + (SELECT max(requested_at) FROM export WHERE ready_at IS NULL)
        WHERE user_id = ? AND ready_at IS NULL
        """
}
