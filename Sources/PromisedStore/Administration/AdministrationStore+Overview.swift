package import PromisedDomain

/// The numbers of accounts and promises.
package struct StoreCounts: Hashable, Sendable {
    /// Accounts that are not deleted.
    package var users: Int
    /// Promises by status; every status has an entry.
    package var promises: [PromiseStatus: Int]
}

extension AdministrationStore {
    /// A page of promises, descending by meeting time. Indexes `promise_by_meeting`, `participant_by_meeting`, and with a
    /// status `promise_by_clock`, `participant_by_clock`.
    ///
    /// - Parameters:
    ///   - user: only promises that include or included this user; nil for all.
    ///   - status: only promises with this status; nil for all.
    ///   - now: the instant that determines the status.
    ///   - cursor: the end of the previous page; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func promises(
        of user: UserID?,
        with status: PromiseStatus?,
        at now: Instant,
        after cursor: PromiseCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<CountedPromise, PromiseCursor> {
        let start = PromiseCursor(meetsAt: Instant(milliseconds: .max), promiseID: PromiseID(high: 0, low: 0))
        let overview = PromiseOverview(user: user, end: cursor ?? start, limit: limit + 1)
        return try await read { db in
            let keys = try overview.keys(with: status, at: now, from: db)
            let page = Page(fetched: keys, limit: limit, cursor: \.self)
            let promises = try page.items.compactMap { try CountedPromise.fetch($0.promiseID, from: db) }
            return Page(items: promises, next: page.next)
        }
    }

    /// How many accounts and promises there are, from running totals. Index `promise_by_settling`, to read the promises
    /// that are not settled.
    package func counts(at now: Instant) async throws(StoreError) -> StoreCounts {
        try await read { db in
            var counts = StoreCounts(users: try TotalQuery.count("user", in: db), promises: [:])
            for status in PromiseStatus.allCases { counts.promises[status] = 0 }
            for row in try db.rows(TotalQuery.promises, named: ["now": now]) {
                counts.promises[try row.raw("status")] = try row.value("count")
            }
            return counts
        }
    }
}

extension CountedPromise {
    /// A promise by its id; nil if it does not exist. Primary keys.
    fileprivate static func fetch(_ id: PromiseID, from db: SQLConnection) throws -> CountedPromise? {
        try db.row(PromiseOverviewQuery.promise, [id]).map { row in
            CountedPromise(
                promise: try PromiseRecord.promise(row),
                participantCount: try row.value("participant_count")
            )
        }
    }
}
