internal import Foundation
package import PromisedDomain

extension AccountStore {
    /// The subset of `digests` from which the user has signed in. Index `user_by_email`, primary key.
    ///
    /// - Parameters:
    ///   - digests: the digests of a caller.
    ///   - emailKey: the folded address of the account, whether or not it exists.
    ///   - instant: callers last seen before it are ignored.
    package func knownCallers(
        among digests: [CallerDigest],
        emailKey: String,
        since instant: Instant
    ) async throws(StoreError) -> [CallerDigest] {
        guard !digests.isEmpty else { return [] }
        return try await read { db in
            try digests.filter { try KnownCallerRecord.isKnown($0, emailKey: emailKey, since: instant, in: db) }
        }
    }

    /// Deletes callers last seen before an instant. Index `known_caller_by_time`.
    package func deleteKnownCallers(seenBefore instant: Instant) async throws(StoreError) {
        try await write { db in try db.run("DELETE FROM known_caller WHERE seen_at < ?", [instant]) }
    }
}

/// The digests of a caller that has just signed in, to recognise it from now on.
package struct SeenCallers: Sendable {
    /// No digests; for sign-ins whose caller has no identifying data.
    package static let nobody = SeenCallers([], limit: 1)

    let digests: [CallerDigest]
    let limit: Int

    /// The digests of a caller.
    ///
    /// - Parameters:
    ///   - digests: at most one of each kind.
    ///   - limit: how many of each kind are kept per user, newest first; at least 1.
    package init(_ digests: [CallerDigest], limit: Int) {
        self.digests = digests
        self.limit = limit
    }
}

/// Rows of `known_caller`.
enum KnownCallerRecord {
    /// All but the newest of a kind. Primary key.
    private static let surplus = """
        DELETE FROM known_caller WHERE user_id = :user AND digest IN (
            SELECT digest FROM known_caller WHERE user_id = :user AND kind = :kind
            ORDER BY seen_at DESC, digest LIMIT -1 OFFSET :limit
        )
        """

    static func isKnown(
        _ digest: CallerDigest,
        emailKey: String,
        since instant: Instant,
        in db: SQLConnection
    ) throws -> Bool {
        try db.row(
            """
            SELECT 1 FROM user JOIN known_caller ON known_caller.user_id = user.id
            WHERE user.email_key = ? AND digest = ? AND kind = ? AND seen_at >= ? AND deleting_at IS NULL
            """,
            [emailKey, Data(digest.bytes), digest.kind.rawValue, instant]
        ) != nil
    }

    /// Stores the digests of a user who has signed in. Primary key.
    static func note(_ callers: SeenCallers, of user: UserID, at now: Instant, in db: SQLConnection) throws {
        for digest in callers.digests {
            try db.run(
                """
                INSERT INTO known_caller (user_id, digest, kind, seen_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (user_id, digest) DO UPDATE SET seen_at = max(seen_at, excluded.seen_at)
                """,
                [user, Data(digest.bytes), digest.kind.rawValue, now]
            )
            try db.run(surplus, named: ["user": user, "kind": digest.kind.rawValue, "limit": callers.limit])
        }
    }
}
