package import PromisedDomain
package import PromisedJournal

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

extension FileStore {
    /// Begins an export of a user's data unless one is in progress or began less than ``ExportRule/interval`` ago. Primary
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
            let next = last.requestedAt + ExportRule.interval
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
    ///     one, and at most ``ExportRule/mostFiles`` are left.
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
}
