internal import Foundation
package import PromisedDomain
package import PromisedJournal

/// The first part of an account's deletion.
package struct BegunDeletion: Hashable, Sendable {
    /// The user's former friends, in order of their ids.
    package var friends: [UserID]
    /// The effects of the first part.
    package var erasure: Erasure
}

/// The erasing of deleted accounts and folders.
package struct DeletionStore: StorePart {
    let driver: any StoreDriver
    private let signal = ErasingSignal()

    init(driver: any StoreDriver) { self.driver = driver }

    /// Yields after a deletion whose data must be erased in parts; read by one task. Several deletions may yield one
    /// element.
    package var erasings: AsyncStream<Void> { signal.erasings }

    /// Wakes the task that erases.
    package func askForErasing() { signal.give() }

    /// Deletes an account, in one transaction: makes its user a tombstone without any personal field, deletes its
    /// sessions and password, and as much of the rest as fits. The rest, friendships too, becomes unreadable at once;
    /// it is listed by ``unfinishedErasures()`` until ``finishDeletion(of:)`` ends it.
    ///
    /// - Parameters:
    ///   - subjectKey: a keyed hash of the outside issuer's subject, which marks it as deleted.
    ///   - audit: written in the same transaction if an administrator requested this.
    /// - Returns: the effects beyond the store; nil if the account does not exist.
    package func beginDeletion(
        of user: UserID,
        at now: Instant,
        subjectKey: @escaping @Sendable (String) -> [UInt8],
        audit: AuditEntry? = nil
    ) async throws(StoreError) -> BegunDeletion? {
        defer { driver.noteErasure() }
        return try await writeAlone { db in
            let friends = try FriendshipRecord.friends(of: user, from: db)
            guard try AccountRecord.end(user, at: now, subjectKey: subjectKey, in: db) else { return nil }
            let erasure = try AccountRecord.deleteBelongings(of: user, atMost: ErasureRoom.first, in: db)
            try AuditRecord.insert(audit, into: db)
            return BegunDeletion(friends: friends, erasure: erasure)
        }
    }

    /// Deletes the next part of what a user has, in one transaction; the caller repeats it until nothing is left.
    ///
    /// In parts, because 10,000 visits, 5,000 courses and 150,000 files take seconds, for which other writes would
    /// wait.
    package func eraseBelongings(of user: UserID) async throws(StoreError) -> Erasure {
        defer { driver.noteErasure() }
        return try await writeAlone { db in try AccountRecord.deleteBelongings(of: user, in: db) }
    }

    /// The deleted accounts and folders that are not fully erased, oldest first, including deletions begun by an
    /// earlier version. Index `user_being_deleted`.
    package func unfinishedErasures() async throws(StoreError) -> [Erasing] {
        try await read { db in
            try db.rows("SELECT id FROM user WHERE deleting_at IS NOT NULL ORDER BY deleting_at, id")
                .map { .account(try $0.value("id")) } + ErasingRecord.fetchAll(from: db)
        }
    }

    /// The deletions still being erased, oldest first, with how much of each is left. Indexes `file_by_user`,
    /// `course_by_folder`.
    ///
    /// - Parameter limit: the most entries, 1 or more.
    package func erasingReports(limit: Int) async throws(StoreError) -> [ErasingReport] {
        try await readAtLength { db in try ErasingRecord.reports(limit: limit, from: db) }
    }

    /// Finishes erasing a deleted account, in one transaction, unless some of it is left.
    ///
    /// - Returns: the effects since the last part; complete once the erasing has ended.
    package func finishDeletion(of user: UserID) async throws(StoreError) -> Erasure {
        defer { driver.noteErasure() }
        return try await writeAlone { db in
            let erasure = try AccountRecord.deleteBelongings(of: user, in: db)
            if erasure.isComplete { try ErasingRecord.delete(.account(user), from: db) }
            return erasure
        }
    }

    /// The unfinished promises to which a user is invited or that they have accepted, by meeting time. Index
    /// `participant_open`.
    package func openParts(of user: UserID, at now: Instant) async throws(StoreError) -> [PromiseID] {
        try await read { db in
            try db.rows(DeletionQuery.openParts, named: ["user": user, "now": now]).map { try $0.value("id") }
        }
    }

    /// Deletes an account and erases all its data except its traces in promises. The bytes of its files become strays.
    ///
    /// Repeats the transaction until nothing is left to delete.
    ///
    /// - Parameters:
    ///   - user: the user; if unknown or already erased, does nothing.
    ///   - now: the instant of the deletion, unless the deletion has already begun.
    ///   - subjectKey: a keyed hash of the outside issuer's subject, which marks it as deleted.
    /// - Returns: `true` if this call deleted it.
    @discardableResult
    package func makeTombstone(
        of user: UserID,
        at now: Instant,
        subjectKey: @escaping @Sendable (String) -> [UInt8]
    ) async throws(StoreError) -> Bool {
        if try await beginDeletion(of: user, at: now, subjectKey: subjectKey) == nil {
            guard try await unfinishedErasures().contains(.account(user)) else { return false }
        }
        while try await !finishDeletion(of: user).isComplete {}
        return true
    }
}

/// The query behind ``DeletionStore/openParts(of:at:)``.
enum DeletionQuery {
    static let openParts = """
        SELECT promise_id AS id FROM participant INDEXED BY participant_open
        WHERE user_id = :user AND membership IN ('invited', 'accepted') AND settles_at > :now
            AND clock <> 'cancelled'
        ORDER BY meets_at, promise_id
        """
}

extension AccountRecord {
    /// Deletes a user's belongings, as many as fit into one transaction: photos and files together with their visit or
    /// course, so that every part leaves consistent data.
    fileprivate static func deleteBelongings(
        of user: UserID,
        atMost most: Int = ErasureRoom.most,
        in db: SQLConnection
    ) throws -> Erasure {
        for deletion in BelongingsQuery.atOnce { try db.run(deletion, named: ["user": user]) }
        var (erasure, room) = (Erasure(), ErasureRoom(in: db, atMost: most))
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
            // Each file also changes two running totals.
            erasure.files += try FileRecord.deleteFirst(room.left / 3 + 1, of: user, from: db)
            erasure.uploads = try UploadRecord.deleteAll(of: user, from: db)
        }
        erasure.isComplete = !room.isUsedUp
        return erasure
    }

    /// Makes a user a tombstone; their belongings are erased later.
    ///
    /// - Returns: `false` if the account does not exist.
    fileprivate static func end(
        _ user: UserID,
        at now: Instant,
        subjectKey: (String) -> [UInt8],
        in db: SQLConnection
    ) throws -> Bool {
        let row = try db.row("SELECT external_subject FROM user WHERE id = ? AND deleted_at IS NULL", [user])
        guard let row else { return false }
        if let subject: String = try row.value("external_subject") {
            try ExternalAccountRecord.forget(key: Data(subjectKey(subject)), at: now, in: db)
        }
        try db.run(
            """
            UPDATE user SET email = NULL, email_key = NULL, nickname = NULL, nickname_key = NULL,
                nickname_skeleton = NULL, avatar = '', picture_id = NULL, locale = '',
                time_zone = '', external_subject = NULL, visits_from_arrivals = 1,
                deleting_at = NULL, deleted_at = ?
            WHERE id = ?
            """,
            [now, user]
        )
        try ErasingRecord.insert(.account(user), at: now, into: db)
        return true
    }
}

extension FriendshipRecord {
    /// A user's friends, in order of their ids. Indexes `friendship_by_first`, `friendship_by_second`.
    fileprivate static func friends(of user: UserID, from db: SQLConnection) throws -> [UserID] {
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

/// The statements that delete a user's belongings.
private enum BelongingsQuery {
    /// Deleted in full with each part, so that sign-ins end at once. Refresh tokens are deleted with their sessions.
    /// Primary keys, index `auth_session_by_user`.
    static let atOnce = [
        "DELETE FROM credential WHERE user_id = :user",
        "DELETE FROM auth_session WHERE user_id = :user",
        "DELETE FROM known_caller WHERE user_id = :user",
        "DELETE FROM notification_setting WHERE user_id = :user",
        "DELETE FROM visit_badge WHERE user_id = :user",
        "DELETE FROM export WHERE user_id = :user",
    ]

    /// The first visits of a user. Index `visit_by_time`.
    static let visits = "SELECT id FROM visit WHERE user_id = ? LIMIT ?"

    /// The first recordings of a user, except those that became courses. Index `recording_by_user`.
    static let recordings = "SELECT id FROM recording WHERE user_id = ? LIMIT ?"

    /// The rest, in order of deletion. Indexes `folder_by_change`, `favourite_by_user`, `friendship_by_first`,
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

package protocol HasDeletions: Sendable {
    var deletions: DeletionStore { get }
}

private final class ErasingSignal: Sendable {
    let erasings: AsyncStream<Void>
    private let erasing: AsyncStream<Void>.Continuation

    init() { (erasings, erasing) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func give() { erasing.yield() }
}
