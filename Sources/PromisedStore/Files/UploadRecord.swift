internal import Foundation
internal import PromisedDomain
internal import PromisedJournal

enum UploadRecord {
    static func upload(_ row: SQLRow) throws -> Upload {
        let digest: Data = try row.value("sha256")
        return Upload(
            id: try row.value("id"),
            userID: try row.value("user_id"),
            announcement: Upload.Announcement(
                key: try row.value("key"),
                kind: try row.raw("kind"),
                bytes: try row.value("bytes"),
                sha256: [UInt8](digest)
            ),
            offset: try row.value("received"),
            touchedAt: try row.value("last_chunk_at")
        )
    }

    /// An upload of a user; nil if they have no upload with this id. Primary key.
    static func fetch(_ id: UploadID, of user: UserID, from db: SQLConnection) throws -> Upload? {
        try db.row("SELECT * FROM upload WHERE id = ? AND user_id = ?", [id, user]).map(upload)
    }

    /// All uploads of a user, including expired ones. Index `upload_by_user`.
    static func fetchAll(of user: UserID, from db: SQLConnection) throws -> [Upload] {
        try db.rows(ofUser, [user]).map(upload)
    }

    static func insert(_ upload: Upload, into db: SQLConnection) throws {
        let announcement = upload.announcement
        try db.run(
            """
            INSERT INTO upload (id, user_id, key, kind, bytes, sha256, received, last_chunk_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                upload.id, upload.userID, announcement.key, announcement.kind.rawValue, announcement.bytes,
                Data(announcement.sha256), upload.offset, upload.touchedAt,
            ]
        )
    }

    /// Stores the progress of an upload. Primary key.
    static func update(_ upload: Upload, in db: SQLConnection) throws {
        try db.run(
            "UPDATE upload SET received = ?, last_chunk_at = ? WHERE id = ?",
            [upload.offset, upload.touchedAt, upload.id]
        )
    }

    /// Deletes an upload of a user; returns `false` if they have no upload with this id. Primary key.
    static func delete(_ id: UploadID, of user: UserID, from db: SQLConnection) throws -> Bool {
        try db.run("DELETE FROM upload WHERE id = ? AND user_id = ?", [id, user])
        return db.changesCount == 1
    }

    /// Deletes all uploads of a user. Index `upload_by_user`.
    static func deleteAll(of user: UserID, from db: SQLConnection) throws -> [UploadID] {
        try db.rows("DELETE FROM upload WHERE user_id = ? RETURNING id", [user]).map { try $0.value("id") }
    }

    static let ofUser = "SELECT * FROM upload WHERE user_id = ?"

    /// Deletes the uploads whose last chunk arrived at or before an instant. Index `upload_by_age`.
    static let forget = "DELETE FROM upload WHERE last_chunk_at <= ? RETURNING id"
}

extension Upload.Announcement {
    /// The part of an upload's announcement, besides its key, that must be equal in a repetition.
    var contentHash: [UInt8] { Array("\(kind.rawValue) \(bytes) ".utf8) + sha256 }
}
