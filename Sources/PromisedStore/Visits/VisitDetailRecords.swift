internal import PromisedDomain
internal import PromisedJournal

/// The rows of `visit_photo`.
enum VisitPhotoRecord {
    /// The photos of a visit in their order. Primary key.
    static func fetchAll(of visit: VisitID, from db: SQLConnection) throws -> [Photo] {
        try db.rows("SELECT file_id, caption FROM visit_photo WHERE visit_id = ? ORDER BY position", [visit]).map {
            Photo(fileID: try $0.value("file_id"), caption: try $0.value("caption"))
        }
    }

    /// Replaces the photos of a visit; new photos get their files, and the files of removed photos are deleted. Primary
    /// keys.
    ///
    /// - Returns: the deleted files.
    /// - Throws: `fileNotFound` for a file that is not an unused photo of the user.
    static func replace(
        _ old: [Photo],
        by photos: [Photo],
        of visit: Visit,
        at now: Instant,
        in db: SQLConnection
    ) throws -> [FileID] {
        guard photos != old else { return [] }
        let (before, after) = (Set(old.map(\.fileID)), Set(photos.map(\.fileID)))
        try FileRecord.attach(after.subtracting(before), to: .visit(visit.id), of: visit.userID, at: now, in: db)
        try db.run("DELETE FROM visit_photo WHERE visit_id = ?", [visit.id])
        for (index, photo) in photos.enumerated() {
            try db.run(
                "INSERT INTO visit_photo (visit_id, position, file_id, caption) VALUES (?, ?, ?, ?)",
                [visit.id, index + 1, photo.fileID, photo.caption]
            )
        }
        let removed = old.map(\.fileID).filter { !after.contains($0) }
        try FileRecord.delete(removed, from: db)
        return removed
    }
}

/// The rows of `companion`.
enum CompanionRecord {
    /// The companions of a visit in their order. Primary key.
    static func fetchAll(of visit: VisitID, from db: SQLConnection) throws -> [Companion] {
        try db.rows("SELECT user_id, name FROM companion WHERE visit_id = ? ORDER BY position", [visit]).map { row in
            if let user: UserID = try row.value("user_id") { return .user(user) }
            return .named(try row.value("name"))
        }
    }

    /// Replaces the companions of a visit if they changed. Primary key.
    static func replace(
        _ old: [Companion],
        by companions: [Companion],
        of visit: VisitID,
        in db: SQLConnection
    ) throws {
        guard companions != old else { return }
        try db.run("DELETE FROM companion WHERE visit_id = ?", [visit])
        for (index, companion) in companions.enumerated() {
            try db.run(
                "INSERT INTO companion (visit_id, position, user_id, name) VALUES (?, ?, ?, ?)",
                [visit, index + 1, companion.userID, companion.name]
            )
        }
    }
}

extension Companion {
    fileprivate var userID: UserID? {
        if case .user(let id) = self { id } else { nil }
    }

    fileprivate var name: String? {
        if case .named(let name) = self { name } else { nil }
    }
}
