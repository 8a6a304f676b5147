package import PromisedDomain
package import PromisedJournal

extension FileStore {
    /// A file that a user may read now: their own, one of a visit or a course that they may see, or the profile picture
    /// of a user who does not block them; nil for all other ids. Primary keys, index `promise_by_course`.
    package func file(_ id: FileID, readableBy viewer: UserID) async throws(StoreError) -> StoredFile? {
        try await read { db in
            try db.rows(FileReadingQuery.single, named: ["file": id, "viewer": viewer]).first.map(FileRecord.file)
        }
    }
}

/// The query that decides whether a user may read a file.
enum FileReadingQuery {
    /// `true` for a file that is not being erased with its user or the folder of its course.
    private static let isKept = """
        (NOT EXISTS (SELECT 1 FROM erasing) OR NOT EXISTS (SELECT 1 FROM erasing
            WHERE erasing.id IN (file.user_id, (SELECT folder_id FROM course WHERE course.id = file.item_id))))
        """

    /// A file if `viewer` may read it. A single statement, so that the reply for an unreadable file takes as long as
    /// for an unknown one.
    static let single = """
        SELECT * FROM file WHERE id = :file AND \(isKept) AND (user_id = :viewer
            OR item_kind = 'visit' AND EXISTS (SELECT 1 \(VisitQuery.seen("file.item_id")))
            OR item_kind = 'course' AND EXISTS (SELECT 1 \(CourseQuery.seen("file.item_id")))
            OR kind = 'picture' AND EXISTS (SELECT 1 FROM user WHERE user.id = file.user_id
                AND picture_id = file.id AND NOT \(ProfileQuery.blocksViewer)))
        """
}
