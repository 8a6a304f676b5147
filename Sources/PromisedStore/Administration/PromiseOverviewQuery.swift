internal import PromisedDomain

/// The queries for an administrator's list of promises, descending by meeting time.
enum PromiseOverviewQuery {
    /// The first clock after another, in the order of their texts. Arguments: user (only where `ofUser`), last. Index
    /// `participant_by_clock` for a user's promises, `promise_by_clock` for all.
    static func nextClock(ofUser: Bool) -> String {
        ofUser
            ? """
            SELECT clock FROM participant INDEXED BY participant_by_clock
            WHERE user_id = :user AND clock > :last ORDER BY clock LIMIT 1
            """
            : """
            SELECT \(PromiseClock.sql) AS clock FROM promise INDEXED BY promise_by_clock
            WHERE \(PromiseClock.sql) > :last ORDER BY \(PromiseClock.sql) LIMIT 1
            """
    }

    /// The meeting times and ids before an end, latest first. Arguments: time and id (the end), limit; user only where
    /// `ofUser`; clock and from (the earliest meeting) only where `underClock`.
    ///
    /// Indexes `participant_by_clock` and `participant_by_meeting` for a user's promises, `promise_by_clock` and
    /// `promise_by_meeting` for all.
    static func keys(ofUser: Bool, underClock: Bool) -> String {
        let table = ofUser ? "participant" : "promise"
        let id = ofUser ? "promise_id" : "id"
        let clock = ofUser ? "clock" : PromiseClock.sql
        return """
            SELECT meets_at, \(id) AS id FROM \(table) INDEXED BY \(table)_by_\(underClock ? "clock" : "meeting")
            WHERE \(ofUser ? "user_id = :user AND " : "")
                \(underClock ? "\(clock) = :clock AND meets_at >= :from AND " : "")
                (meets_at, \(id)) < (:time, :id)
            ORDER BY meets_at DESC, \(id) DESC LIMIT :limit
            """
    }

    /// A promise with the number of users who are invited or have accepted. Arguments: id. Primary keys.
    static let promise = """
        SELECT promise.*,
            (SELECT count(*) FROM participant WHERE promise_id = promise.id
                AND membership IN ('invited', 'accepted')) AS participant_count
        FROM promise WHERE id = ?
        """
}

/// A page of promises in an administrator's list.
struct PromiseOverview {
    /// Only promises that include or included this user; nil for all.
    let user: UserID?
    /// The end of the page: only promises before it, in ascending order.
    let end: PromiseCursor
    /// The most promises on the page.
    let limit: Int

    /// The keys of the promises with a status at `now`, or with any status, latest meeting first.
    ///
    /// Reads at most `limit` entries of an index for each clock, whatever the user, the status and the end.
    func keys(with status: PromiseStatus?, at now: Instant, from db: SQLConnection) throws -> [PromiseCursor] {
        guard let status else { return try keys(under: nil, from: db) }
        var keys: [PromiseCursor] = []
        var last = ""
        while let text = try nextClock(after: last, from: db) {
            guard let clock = PromiseClock(text) else { throw StoreError.damaged("A promise with an unknown clock") }
            if let meetings = clock.meetings(with: status, at: now) {
                keys += try self.keys(under: (text, meetings), from: db)
            }
            last = text
        }
        return Array(keys.sorted { PromiseOverview.isAscending($1, $0) }.prefix(limit))
    }

    private func nextClock(after last: String, from db: SQLConnection) throws -> String? {
        var values: [String: (any StoredValue)?] = ["last": last]
        if let user { values["user"] = user }
        return try db.rows(PromiseOverviewQuery.nextClock(ofUser: user != nil), named: values).first?.value("clock")
    }

    /// The keys before the end, of all promises or of those that meet in a range of times under a clock.
    private func keys(
        under clock: (text: String, meetings: Range<Instant>)?,
        from db: SQLConnection
    ) throws -> [PromiseCursor] {
        var end = end
        var values: [String: (any StoredValue)?] = ["limit": limit]
        if let user { values["user"] = user }
        if let clock {
            // Every id sorts at or after the id of zeros, so this excludes the end of the range.
            let close = PromiseCursor(meetsAt: clock.meetings.upperBound, promiseID: PromiseID(high: 0, low: 0))
            if PromiseOverview.isAscending(close, end) { end = close }
            values["clock"] = clock.text
            values["from"] = clock.meetings.lowerBound
        }
        values["time"] = end.meetsAt
        values["id"] = end.promiseID
        let sql = PromiseOverviewQuery.keys(ofUser: user != nil, underClock: clock != nil)
        return try db.rows(sql, named: values).map { row in
            PromiseCursor(meetsAt: try row.value("meets_at"), promiseID: try row.value("id"))
        }
    }

    private static func isAscending(_ left: PromiseCursor, _ right: PromiseCursor) -> Bool {
        (left.meetsAt, left.promiseID) < (right.meetsAt, right.promiseID)
    }
}
