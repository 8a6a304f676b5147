internal import GRDB
public import PromisedDomain

extension Store {
    /// A page of promises, descending by meeting time. Indexes `promise_by_meeting`, `participant_by_meeting`.
    ///
    /// - Parameters:
    ///   - user: only those this user is or was in; nil for all.
    ///   - status: only those with this status; nil for all.
    ///   - now: the instant by which promises have their status.
    ///   - cursor: the end of the page before; nil for the first.
    ///   - limit: at most so many, 1 or more.
    public func promises(
        of user: UserID?,
        with status: PromiseStatus?,
        at now: Instant,
        after cursor: PromiseCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<CountedPromise, PromiseCursor> {
        try await read { db in
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
    public func counts(at now: Instant) async throws(StoreError) -> StoreCounts {
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

    /// All fixes of a promise that are kept, in any order. Those that wait in a ``FixBuffer`` are not among them. Index
    /// `fix_by_promise`.
    public func fixes(of promise: PromiseID) async throws(StoreError) -> [ArchivedFix] {
        try await read { db in try FixRecord.fetchAll(of: promise, from: db) }
    }

    /// Whether there is such a promise. Primary key.
    public func knows(_ promise: PromiseID) async throws(StoreError) -> Bool {
        try await read { db in try db.row("SELECT 1 FROM promise WHERE id = ?", [promise]) != nil }
    }
}
