internal import Foundation
internal import GRDB
package import PromisedDomain

/// A deletion of an account that has begun.
package struct BegunDeletion: Hashable, Sendable {
    /// The user's friends until now, in order of their ids.
    package var friends: [UserID]
    /// The first part of what it takes.
    package var erasure: Erasure
}

extension Store {
    /// Begins the deletion of an account, in one transaction: deletes its sessions, password and friends, so that sign-in
    /// fails, and as much of the rest as fits. The deletion is listed by ``unfinishedDeletions()`` until
    /// ``makeTombstone(of:at:subjectKey:)`` ends it.
    ///
    /// - Parameter audit: written with it if an administrator does it.
    /// - Returns: the effects beyond the store; nil if there is no such account or its deletion has begun.
    package func beginDeletion(
        of user: UserID,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws(StoreError) -> BegunDeletion? {
        defer { noteErasure() }
        return try await writeAlone { db in
            try db.run(
                "UPDATE user SET deleting_at = ? WHERE id = ? AND deleted_at IS NULL AND deleting_at IS NULL",
                [now, user]
            )
            guard db.changesCount == 1 else { return nil }
            let friends = try FriendshipRecord.friends(of: user, from: db)
            let erasure = try AccountRecord.deleteBelongings(of: user, in: db)
            try AuditRecord.insert(audit, into: db)
            return BegunDeletion(friends: friends, erasure: erasure)
        }
    }

    /// Deletes the next part of what a user has, in one transaction; the caller repeats it until nothing is left.
    ///
    /// No other write may wait for all of it: 10,000 visits, 5,000 courses and 150,000 files take seconds.
    package func eraseBelongings(of user: UserID) async throws(StoreError) -> Erasure {
        defer { noteErasure() }
        return try await writeAlone { db in try AccountRecord.deleteBelongings(of: user, in: db) }
    }

    /// The users whose deletion has begun and not ended, oldest first. Index `user_being_deleted`.
    package func unfinishedDeletions() async throws(StoreError) -> [UserID] {
        try await read { db in
            try db.rows("SELECT id FROM user WHERE deleting_at IS NOT NULL ORDER BY deleting_at, id")
                .map { try $0.value("id") }
        }
    }

    /// The promises that are not over and in which a user is invited or accepted, by meeting time. Index
    /// `participant_open`.
    package func openParts(of user: UserID, at now: Instant) async throws(StoreError) -> [PromiseID] {
        try await read { db in
            try db.rows(DeletionQuery.openParts, named: ["user": user, "now": now]).map { try $0.value("id") }
        }
    }

    /// Turns a user into a tombstone: deletes all personal fields, password, sessions, friendships, favourites,
    /// notifications, visits, courses, recordings, files, keys of requests, status texts and emoji; the rows of past
    /// results stay. The bytes of files that came after ``beginDeletion(of:at:audit:)`` become strays.
    ///
    /// Repeats the transaction until nothing is left to delete; usually little is.
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
        while true {
            let isDone: Bool? = try await writeAlone { db in
                let row = try db.row("SELECT external_subject FROM user WHERE id = ? AND deleted_at IS NULL", [user])
                guard let row else { return false }
                guard try AccountRecord.deleteBelongings(of: user, in: db).isComplete else { return nil }
                if let subject: String = try row.value("external_subject") {
                    try ExternalAccountRecord.forget(key: Data(subjectKey(subject)), at: now, in: db)
                }
                try AccountRecord.empty(user, at: now, in: db)
                return true
            }
            if let isDone { return isDone }
        }
    }
}

/// The query behind ``Store/openParts(of:at:)``.
enum DeletionQuery {
    static let openParts = """
        SELECT promise_id AS id FROM participant INDEXED BY participant_open
        WHERE user_id = :user AND membership IN ('invited', 'accepted') AND settles_at > :now
            AND clock <> 'cancelled'
        ORDER BY meets_at, promise_id
        """
}

extension AccountRecord {
    /// Deletes what a user has, as much as fits into one transaction: photos and files with their visit or course, so that
    /// every part leaves a whole database.
    fileprivate static func deleteBelongings(of user: UserID, in db: Database) throws -> Erasure {
        for deletion in BelongingsQuery.atOnce { try db.run(deletion, named: ["user": user]) }
        var (erasure, room) = (Erasure(), ErasureRoom(in: db))
        try room.delete(BelongingsQuery.visits, of: user) { visit, _ in
            try VisitRecord.delete(try visit.value("id"), from: db, into: &erasure)
        }
        try room.delete(CourseQuery.firstOfUser, of: user) { course, room in
            try CourseRecord.delete(course, in: &room, from: db, into: &erasure)
        }
        try room.delete(BelongingsQuery.recordings, of: user) { recording, _ in
            try RecordingRecord.delete(try recording.value("id"), from: db)
        }
        for deletion in BelongingsQuery.parts where !room.isUsedUp {
            try db.run(deletion, named: ["user": user, "most": room.left])
        }
        if !room.isUsedUp {
            // Each changes two running totals as well.
            erasure.files += try FileRecord.deleteFirst(room.left / 3 + 1, of: user, from: db)
            erasure.uploads = try UploadRecord.deleteAll(of: user, from: db)
        }
        erasure.isComplete = !room.isUsedUp
        return erasure
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

/// The deletions of what a user has.
private enum BelongingsQuery {
    /// Deleted in full with every part: sign-in and friendships end at once. Refresh tokens go with their sessions. Primary
    /// keys, indexes `auth_session_by_user`, `friendship_by_first`, `friendship_by_second`.
    static let atOnce = [
        "DELETE FROM credential WHERE user_id = :user",
        "DELETE FROM auth_session WHERE user_id = :user",
        "DELETE FROM known_caller WHERE user_id = :user",
        "DELETE FROM friendship WHERE first = :user AND state IN ('friends', 'requested')",
        "DELETE FROM friendship WHERE second = :user AND state IN ('friends', 'requested')",
        "DELETE FROM notification_setting WHERE user_id = :user",
        "DELETE FROM visit_badge WHERE user_id = :user",
        "DELETE FROM export WHERE user_id = :user",
    ]

    /// The first visits of a user. Index `visit_by_time`.
    static let visits = "SELECT id FROM visit WHERE user_id = ? LIMIT ?"

    /// The first recordings of a user, but for those that became courses. Index `recording_by_user`.
    static let recordings = "SELECT id FROM recording WHERE user_id = ? LIMIT ?"

    /// The rest, in the order in which it goes. Indexes `folder_by_change`, `favourite_by_user`, `friendship_by_first`,
    /// `friendship_by_second`, `course_person_by_user`, `participant_with_status`, primary keys.
    static let parts = [
        first("folder", "id", "user_id = :user"),
        first("favourite", "id", "user_id = :user"),
        first("idempotency_key", "owner_id, key", "owner_id = :user"),
        first("notification", "user_id, at, id", "user_id = :user"),
        first("friendship", "first, second", "first = :user"),
        first("friendship", "first, second", "second = :user"),
        first("visit_mark", "user_id, promise_id", "user_id = :user"),
        first("course_person", "course_id, user_id", "user_id = :user"),
        """
        UPDATE participant SET status_text = '', emoji = '' WHERE (promise_id, user_id) IN (
            SELECT promise_id, user_id FROM participant INDEXED BY participant_with_status
            WHERE user_id = :user AND (status_text <> '' OR emoji <> '') LIMIT :most
        )
        """,
    ]

    private static func first(_ table: String, _ key: String, _ condition: String) -> String {
        "DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(condition) LIMIT :most)"
    }
}
