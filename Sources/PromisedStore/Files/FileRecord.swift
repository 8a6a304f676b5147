internal import Foundation
package import PromisedDomain
internal import PromisedJournal

enum FileRecord {
    static func file(_ row: SQLRow) throws -> StoredFile {
        let digest: Data = try row.value("sha256")
        return StoredFile(
            id: try row.value("id"),
            userID: try row.value("user_id"),
            kind: try row.raw("kind"),
            contentType: try row.value("content_type"),
            bytes: try row.value("bytes"),
            sha256: [UInt8](digest),
            width: try row.value("width"),
            height: try row.value("height"),
            orientation: try row.value("orientation")
        )
    }

    static func keptFile(_ row: SQLRow) throws -> KeptFile {
        KeptFile(
            file: try file(row),
            item: try item(row),
            createdAt: try row.value("created_at"),
            usedAt: try row.value("used_at")
        )
    }

    /// A file; nil if the id is unknown. Primary key.
    static func fetch(_ id: FileID, from db: SQLConnection) throws -> KeptFile? {
        try db.row("SELECT * FROM file WHERE id = ?", [id]).map(keptFile)
    }

    /// The size of a user's files that count towards the quota. Index `file_by_user`.
    static func usedBytes(of user: UserID, in db: SQLConnection) throws -> Int64 {
        try db.row(usedBytes, [user])?.value("used") ?? 0
    }

    /// Adds a file without an item.
    static func insert(_ file: StoredFile, at now: Instant, into db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO file
                (id, user_id, kind, content_type, bytes, sha256, width, height, orientation, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                file.id, file.userID, file.kind.rawValue, file.contentType, file.bytes, Data(file.sha256), file.width,
                file.height, file.orientation, now,
            ]
        )
    }

    /// Attaches a user's unused photos to one of their items, each file once. Primary key.
    ///
    /// - Throws: `fileNotFound` if a file does not exist, belongs to another user, is not a photo, or already has an
    ///   item.
    static func attach(
        _ files: some Sequence<FileID>,
        to item: FileItem,
        of user: UserID,
        at now: Instant,
        in db: SQLConnection
    ) throws {
        for file in files {
            try db.run(
                """
                UPDATE file SET item_kind = ?, item_id = ?, used_at = ?
                WHERE id = ? AND user_id = ? AND kind = ? AND used_at IS NULL
                """,
                [item.kind, item.id, now, file, user, StoredFile.Kind.photo.rawValue]
            )
            guard db.changesCount == 1 else { throw Refusal.fileNotFound }
        }
    }

    /// Deletes files. Primary key.
    static func delete(_ files: some Sequence<FileID>, from db: SQLConnection) throws {
        for file in files { try db.run("DELETE FROM file WHERE id = ?", [file]) }
    }

    /// Deletes the files of a user that contain tracks of their courses: imported tracks, exported courses, and the
    /// archive of all their data, which restarts if it is in progress. Index `file_by_user`.
    static func deleteWays(of user: UserID, from db: SQLConnection) throws -> [FileID] {
        try ExportRecord.beginAgain(of: user, in: db)
        return try db.rows(ways, [user]).map { try $0.value("id") }
    }

    /// Deletes the archive of all data of a user, or restarts it if it is in progress. Primary keys.
    static func deleteArchive(of user: UserID, from db: SQLConnection) throws -> [FileID] {
        try ExportRecord.beginAgain(of: user, in: db)
        return try db.rows(archive, [user]).map { try $0.value("id") }
    }

    /// Deletes at most `count` files of a user whose visits, courses and exports are already deleted. Index
    /// `file_by_user`.
    static func deleteFirst(_ count: Int, of user: UserID, from db: SQLConnection) throws -> [FileID] {
        try db.rows(first, [user, count]).map { try $0.value("id") }
    }

    private static func item(_ row: SQLRow) throws -> FileItem? {
        switch try row.value("item_kind") as String? {
        case "visit": .visit(try row.value("item_id"))
        case "course": .course(try row.value("item_id"))
        case nil: nil
        default: throw StoreError.damaged("An unknown kind of a file's item")
        }
    }
}

extension FileRecord {
    /// The size of a user's files that count towards the quota.
    static let usedBytes = "SELECT coalesce(sum(bytes), 0) AS used FROM file WHERE user_id = ? AND kind <> 'export'"

    /// Deletes imported tracks and exports. The kinds come first so that the query skips the photos, which are many.
    static let ways = """
        DELETE FROM file WHERE user_id = ? AND kind IN ('track', 'export') AND (kind = 'export' OR used_at IS NOT NULL)
        RETURNING id
        """
    /// Deletes the first files of a user.
    static let first = """
        DELETE FROM file WHERE id IN (SELECT id FROM file INDEXED BY file_by_user WHERE user_id = ? LIMIT ?)
        RETURNING id
        """
    /// Deletes the archive of all data.
    static let archive = """
        DELETE FROM file WHERE id IN (SELECT file_id FROM export WHERE user_id = ? AND file_id IS NOT NULL) RETURNING id
        """

    /// The oldest files that are neither an item's nor a profile picture, and older than an instant.
    static let unused = """
        SELECT id FROM file WHERE item_id IS NULL AND (kind <> 'picture' OR used_at IS NULL) AND created_at < ?
        ORDER BY created_at LIMIT ?
        """
}

extension FileItem {
    fileprivate var kind: String {
        switch self {
        case .visit: "visit"
        case .course: "course"
        }
    }

    fileprivate var id: any StoredValue {
        switch self {
        case .visit(let id): id
        case .course(let id): id
        }
    }
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

/// The limits on exports.
package enum ExportRule {
    /// The minimum time between the beginnings of two exports of a user.
    package static let interval = TimeSpan.hours(24)
    /// The most files per user that ``FileStore/addExport(_:within:at:)`` keeps.
    package static let mostFiles = 100
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
            guard kept < ExportRule.mostFiles, bytes <= limit - used else { break }
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
