internal import GRDB
package import PromisedDomain

/// A promise in an administrator's list.
package struct CountedPromise: Hashable, Sendable {
    /// The promise.
    package var promise: Promise
    /// How many users are invited or have accepted, including the owner.
    package var participantCount: Int

    /// The cursor behind this promise.
    package var cursor: PromiseCursor { PromiseCursor(meetsAt: promise.meetsAt, promiseID: promise.id) }
}

/// The numbers of accounts and promises.
package struct StoreCounts: Hashable, Sendable {
    /// Accounts that are not deleted.
    package var users: Int
    /// Promises by status; every status has an entry.
    package var promises: [PromiseStatus: Int]
}

extension Store {
    /// A page of promises, descending by meeting time. Indexes `promise_by_meeting`, `participant_by_meeting`.
    ///
    /// - Parameters:
    ///   - user: only the promises this user is or was in; nil for all.
    ///   - status: only promises with this status; nil for all.
    ///   - now: the instant that determines the status.
    ///   - cursor: the end of the page before; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func promises(
        of user: UserID?,
        with status: PromiseStatus?,
        at now: Instant,
        after cursor: PromiseCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<CountedPromise, PromiseCursor> {
        // A status is worked out for each promise, so a page of a rare one looks at all of them.
        try await readAtLength { db in
            var values: [String: (any StoredValue)?] = [
                "status": status?.rawValue, "now": now, "limit": limit + 1,
                "cursorTime": cursor?.meetsAt, "cursorID": cursor?.promiseID,
            ]
            if let user { values["user"] = user }
            let rows = try db.rows(PromiseOverviewQuery.sql(ofUser: user != nil), named: values)
            let promises = try rows.map { row in
                CountedPromise(
                    promise: try PromiseRecord.promise(row),
                    participantCount: try row.value("participant_count")
                )
            }
            return Page(fetched: promises, limit: limit, cursor: \.cursor)
        }
    }

    /// How many accounts and promises there are. Reads all promises.
    package func counts(at now: Instant) async throws(StoreError) -> StoreCounts {
        try await readAtLength { db in
            var counts = StoreCounts(users: 0, promises: [:])
            counts.users = try db.number("SELECT count(*) FROM user WHERE deleted_at IS NULL", named: [:])
            for status in PromiseStatus.allCases { counts.promises[status] = 0 }
            for row in try db.rows(PromiseOverviewQuery.counts, named: ["now": now]) {
                counts.promises[try row.raw("status")] = try row.value("count")
            }
            return counts
        }
    }

    /// All stored fixes of a promise, in any order, without those that wait in a ``FixBuffer``. Index `fix_by_promise`.
    package func fixes(of promise: PromiseID) async throws(StoreError) -> [ArchivedFix] {
        try await readAtLength { db in try FixRecord.fetchAll(of: promise, from: db) }
    }

    /// `true` if there is such a promise. Primary key.
    package func knows(_ promise: PromiseID) async throws(StoreError) -> Bool {
        try await read { db in try db.row("SELECT 1 FROM promise WHERE id = ?", [promise]) != nil }
    }
}

/// The queries behind an administrator's list of promises, descending by meeting time.
enum PromiseOverviewQuery {
    /// Arguments: user (only where `ofUser`), status, now, cursorTime, cursorID (both NULL for the first page), limit.
    /// Index `participant_by_meeting` for a user's, `promise_by_meeting` for all.
    static func sql(ofUser: Bool) -> String {
        let time = ofUser ? "mine.meets_at" : "promise.meets_at"
        let id = ofUser ? "mine.promise_id" : "promise.id"
        let tables =
            ofUser
            ? """
            participant AS mine INDEXED BY participant_by_meeting JOIN promise ON promise.id = mine.promise_id
            WHERE mine.user_id = :user AND
            """
            : "promise INDEXED BY promise_by_meeting WHERE"
        return """
            SELECT promise.*, \(status) AS status,
                (SELECT count(*) FROM participant AS other WHERE other.promise_id = promise.id
                    AND other.membership IN ('invited', 'accepted')) AS participant_count
            FROM \(tables) (:status IS NULL OR \(status) = :status)
                AND (:cursorTime IS NULL OR (\(time), \(id)) < (:cursorTime, :cursorID))
            ORDER BY \(time) DESC, \(id) DESC LIMIT :limit
            """
    }

    /// How many promises have each status. Arguments: now. Reads all promises.
    static let counts = "SELECT \(status) AS status, count(*) AS count FROM promise GROUP BY 1"

    /// The status of a promise at an instant, as the domain defines it.
    private static let status = """
        CASE WHEN promise.cancelled_at IS NOT NULL THEN 'cancelled' WHEN :now < promise.opens_at THEN 'scheduled'
            WHEN :now < promise.closes_at THEN 'tracking' WHEN :now < promise.settles_at THEN 'settling'
            ELSE 'final' END
        """
}
