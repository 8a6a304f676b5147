internal import Foundation
internal import PromisedDomain

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

    /// The oldest files without an item that are older than an instant.
    static let unused = "SELECT id FROM file WHERE item_id IS NULL AND created_at < ? ORDER BY created_at LIMIT ?"
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
