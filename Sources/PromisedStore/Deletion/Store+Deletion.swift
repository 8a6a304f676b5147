internal import Foundation
internal import GRDB
package import PromisedDomain

/// The beginning of an account's deletion.
package struct BegunDeletion: Hashable, Sendable {
    /// The former friends, in order of their ids.
    package var friends: [UserID]
    /// The files and uploads whose rows are gone: the caller deletes the bytes.
    package var erased: ErasedFiles
    /// The promises that carried a course of the user's and carry none now, each with that course.
    package var promises: [PromiseID: CourseID]
}

extension Store {
    /// Begins the deletion of an account, in one transaction: deletes its sessions, password, friendships,
    /// favourites, notifications, visits, courses, recordings and files, so that sign-in fails; the deletion is listed
    /// by ``unfinishedDeletions()`` until ``makeTombstone(of:at:subjectKey:)`` ends it.
    ///
    /// - Parameter audit: written with it if an administrator does it.
    /// - Returns: the effects beyond the store; nil if there is no such account or its deletion has begun.
    package func beginDeletion(
        of user: UserID,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws(StoreError) -> BegunDeletion? {
        defer { noteErasure() }
        return try await write { db in
            try db.run(
                "UPDATE user SET deleting_at = ? WHERE id = ? AND deleted_at IS NULL AND deleting_at IS NULL",
                [now, user]
            )
            guard db.changesCount == 1 else { return nil }
            let friends = try FriendshipRecord.friends(of: user, from: db)
            let promises = try CourseRecord.promises(carryingCoursesOf: user, in: db)
            let erased = try AccountRecord.deleteBelongings(of: user, in: db)
            try AuditRecord.insert(audit, into: db)
            return BegunDeletion(friends: friends, erased: erased, promises: promises)
        }
    }

    /// The users whose deletion has begun and not ended, oldest first. Index `user_being_deleted`.
    package func unfinishedDeletions() async throws(StoreError) -> [UserID] {
        try await read { db in
            try db.rows("SELECT id FROM user WHERE deleting_at IS NOT NULL ORDER BY deleting_at, id")
                .map { try $0.value("id") }
        }
    }

    /// The promises that are not over and in which a user is invited or accepted, by meeting time. Index
    /// `participant_by_settling`.
    package func openParts(of user: UserID, at now: Instant) async throws(StoreError) -> [PromiseID] {
        try await read { db in
            try db.rows(DeletionQuery.openParts, named: ["user": user, "now": now]).map { try $0.value("id") }
        }
    }

    /// Turns a user into a tombstone, in one transaction: deletes all personal fields, password, sessions, friendships,
    /// favourites, notifications, visits, courses, recordings, files, keys of requests, status texts and emoji; the rows
    /// of past results stay. The bytes of files that came after ``beginDeletion(of:at:audit:)`` become strays.
    ///
    /// - Parameters:
    ///   - user: the user; nothing happens if unknown or a tombstone already.
    ///   - now: the instant of the deletion.
    ///   - subjectKey: a keyed hash of the outside issuer's subject, which marks it as deleted.
    /// - Returns: `true` if this call did it.
    @discardableResult
    package func makeTombstone(
        of user: UserID,
        at now: Instant,
        subjectKey: @escaping @Sendable (String) -> [UInt8]
    ) async throws(StoreError) -> Bool {
        defer { noteErasure() }
        return try await write { db in
            let row = try db.row("SELECT external_subject FROM user WHERE id = ? AND deleted_at IS NULL", [user])
            guard let row else { return false }
            if let subject: String = try row.value("external_subject") {
                try ExternalAccountRecord.forget(key: Data(subjectKey(subject)), at: now, in: db)
            }
            _ = try AccountRecord.deleteBelongings(of: user, in: db)
            try AccountRecord.empty(user, at: now, in: db)
            try ParticipantRecord.clearStatus(of: user, in: db)
            return true
        }
    }
}

/// The query behind ``Store/openParts(of:at:)``.
enum DeletionQuery {
    static let openParts = """
        SELECT promise.id AS id FROM participant AS mine INDEXED BY participant_by_settling
        JOIN promise ON promise.id = mine.promise_id
        WHERE mine.user_id = :user AND mine.settles_at > :now AND mine.membership IN ('invited', 'accepted')
            AND promise.cancelled_at IS NULL
        ORDER BY promise.meets_at, promise.id
        """
}

extension AccountRecord {
    // Refresh tokens go with their sessions, photos and companions with their visits. Indexes `auth_session_by_user`,
    // `friendship_by_second`, `favourite_by_user`, `visit_by_time`, `course_by_change`, `recording_by_user`,
    // `course_person_by_user`, `upload_by_user`, `file_by_user`, primary keys.
    fileprivate static func deleteBelongings(of user: UserID, in db: Database) throws -> ErasedFiles {
        try db.run("DELETE FROM credential WHERE user_id = ?", [user])
        try db.run("DELETE FROM auth_session WHERE user_id = ?", [user])
        try db.run("DELETE FROM friendship WHERE first = ?", [user])
        try db.run("DELETE FROM friendship WHERE second = ?", [user])
        try db.run("DELETE FROM favourite WHERE user_id = ?", [user])
        try db.run("DELETE FROM idempotency_key WHERE owner_id = ?", [user])
        try db.run("DELETE FROM notification WHERE user_id = ?", [user])
        try db.run("DELETE FROM notification_setting WHERE user_id = ?", [user])
        try db.run("DELETE FROM visit WHERE user_id = ?", [user])
        try db.run("DELETE FROM visit_mark WHERE user_id = ?", [user])
        try db.run("DELETE FROM visit_badge WHERE user_id = ?", [user])
        try db.run("DELETE FROM export WHERE user_id = ?", [user])
        // Recordings that became courses go with them, as do points, way-points and photos.
        try db.run("DELETE FROM course WHERE user_id = ?", [user])
        try db.run("DELETE FROM folder WHERE user_id = ?", [user])
        try db.run("DELETE FROM recording WHERE user_id = ?", [user])
        try db.run("DELETE FROM course_person WHERE user_id = ?", [user])
        return ErasedFiles(
            files: try FileRecord.deleteAll(of: user, from: db),
            uploads: try UploadRecord.deleteAll(of: user, from: db)
        )
    }

    fileprivate static func empty(_ user: UserID, at now: Instant, in db: Database) throws {
        try db.run(
            """
            UPDATE user SET email = NULL, email_key = NULL, nickname = NULL, nickname_key = NULL,
                nickname_skeleton = NULL, avatar = '', locale = '',
                time_zone = '', external_subject = NULL, visits_from_arrivals = 1,
                deleting_at = NULL, deleted_at = ?
            WHERE id = ?
            """,
            [now, user]
        )
    }
}

extension FriendshipRecord {
    /// A user's friends, in order of their ids. Indexes `friendship_by_first`, `friendship_by_second`.
    fileprivate static func friends(of user: UserID, from db: Database) throws -> [UserID] {
        try db.rows(
            """
            SELECT second AS id FROM friendship WHERE first = :user AND state = 'friends'
            UNION ALL
            SELECT first FROM friendship WHERE second = :user AND state = 'friends'
            ORDER BY 1
            """,
            named: ["user": user]
        ).map { try $0.value("id") }
    }
}
