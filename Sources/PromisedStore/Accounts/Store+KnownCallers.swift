internal import Foundation
internal import GRDB
package import PromisedDomain

extension Store {
    /// Those of `digests` from which a user has signed in. Index `user_by_email`, primary key.
    ///
    /// - Parameters:
    ///   - digests: the digests of a caller.
    ///   - emailKey: the folded address of the account, whether or not it exists.
    ///   - instant: callers that were last seen before it are forgotten.
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

    /// Deletes callers that were last seen before an instant. Index `known_caller_by_time`.
    package func deleteKnownCallers(seenBefore instant: Instant) async throws(StoreError) {
        try await write { db in try db.run("DELETE FROM known_caller WHERE seen_at < ?", [instant]) }
    }
}

/// Callers that have just signed in, to be known from now on.
package struct SeenCallers: Sendable {
    /// Nobody; for sign-ins whose caller is not known by anything.
    package static let nobody = SeenCallers([], limit: 1)

    let digests: [CallerDigest]
    let limit: Int

    /// The digests of a caller.
    ///
    /// - Parameters:
    ///   - digests: at most one of each kind.
    ///   - limit: how many of a kind are kept for each user, the newest; at least 1.
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
        in db: Database
    ) throws -> Bool {
        try db.row(
            """
            SELECT 1 FROM user JOIN known_caller ON known_caller.user_id = user.id
            WHERE user.email_key = ? AND digest = ? AND kind = ? AND seen_at >= ? AND deleting_at IS NULL
            """,
            [emailKey, Data(digest.bytes), digest.kind.rawValue, instant]
        ) != nil
    }

    /// Notes that a user has signed in. Primary key.
    static func note(_ callers: SeenCallers, of user: UserID, at now: Instant, in db: Database) throws {
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
