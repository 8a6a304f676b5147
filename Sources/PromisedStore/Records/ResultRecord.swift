internal import PromisedDomain

/// A row of `result` with its rows of `result_row`.
enum ResultRecord {
    /// The final table of a promise; nil before it is final. Primary keys.
    static func fetch(of promise: PromiseID, from db: SQLConnection) throws -> PromiseResult? {
        guard let head = try db.row("SELECT * FROM result WHERE promise_id = ?", [promise]) else { return nil }
        return PromiseResult(
            promiseID: promise,
            meetsAt: try head.value("meets_at"),
            finalAt: try head.value("final_at"),
            penalty: try PromiseRecord.penalty(head),
            rows: try db.rows("SELECT * FROM result_row WHERE promise_id = ? ORDER BY number", [promise]).map(row)
        )
    }

    /// Adds a result; the caller has checked that the promise has none.
    static func insert(_ result: PromiseResult, into db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO result (promise_id, meets_at, final_at, penalty_amount, penalty_currency)
            VALUES (?, ?, ?, ?, ?)
            """,
            [result.promiseID, result.meetsAt, result.finalAt, result.penalty?.amount, result.penalty?.currency]
        )
        for (index, row) in result.rows.enumerated() {
            try insert(row, number: index + 1, of: result.promiseID, into: db)
        }
    }

    /// Updates the rows that differ: only an excuse changes a final result, so only its effects are written. Throws
    /// ``StoreError/broken(_:)`` for any other change.
    static func update(_ known: PromiseResult, to result: PromiseResult, in db: SQLConnection) throws {
        guard known.rows.map(\.untouchedByExcuse) == result.rows.map(\.untouchedByExcuse) else {
            throw StoreError.broken("A final result that changed by more than an excuse")
        }
        for (old, new) in zip(known.rows, result.rows) where old != new {
            try db.run(
                """
                UPDATE result_row SET outcome = ?, penalty_owed = ?, excused_reason = ?
                WHERE promise_id = ? AND user_id = ?
                """,
                [new.outcome.rawValue, new.penaltyOwed, new.excusedReason, result.promiseID, new.userID]
            )
        }
    }

    private static func insert(
        _ row: PromiseResult.Row,
        number: Int,
        of promise: PromiseID,
        into db: SQLConnection
    ) throws {
        try db.run(
            """
            INSERT INTO result_row (
                promise_id, user_id, number, outcome, credited_at, seconds_from_meeting, rank, source, penalty_owed,
                excused_reason, is_mock
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                promise, row.userID, number, row.outcome.rawValue, row.creditedAt, row.secondsFromMeeting, row.rank,
                row.source?.rawValue, row.penaltyOwed, row.excusedReason, row.isMock,
            ]
        )
    }

    private static func row(_ row: SQLRow) throws -> PromiseResult.Row {
        PromiseResult.Row(
            userID: try row.value("user_id"),
            outcome: try row.raw("outcome"),
            creditedAt: try row.value("credited_at"),
            secondsFromMeeting: try row.value("seconds_from_meeting"),
            rank: try row.value("rank"),
            source: try row.optionalRaw("source"),
            penaltyOwed: try row.value("penalty_owed"),
            excusedReason: try row.value("excused_reason"),
            isMock: try row.value("is_mock")
        )
    }
}

extension PromiseResult.Row {
    /// The row without the fields that an excuse changes.
    fileprivate var untouchedByExcuse: PromiseResult.Row {
        var row = self
        row.outcome = .noShow
        row.penaltyOwed = 0
        row.excusedReason = ""
        return row
    }
}
