internal import PromisedDomain

/// A row of `arrival`; evidence and check-in are JSON.
enum ArrivalRecord {
    /// The arguments that blank the device's names in an arrival's evidence, in its JSON.
    static let deviceNames = "'$.device.deviceID', '', '$.device.bootID', ''"

    /// The arrivals of a promise that are not retracted. Primary key.
    static func fetchAll(of promise: PromiseID, from db: SQLConnection) throws -> [UserID: Arrival] {
        var arrivals: [UserID: Arrival] = [:]
        for row in try db.rows("SELECT * FROM arrival WHERE promise_id = ?", [promise]) {
            arrivals[try row.value("user_id")] = try arrival(row)
        }
        return arrivals
    }

    /// Adds an arrival or replaces the stored one. Removes device names from the evidence of a deleted user, because a
    /// session in memory may still have them.
    static func save(_ arrival: Arrival, of user: UserID, in promise: PromiseID, to db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO arrival (promise_id, user_id, stage, credited_at, source, evidence, check_in)
            VALUES (?1, ?2, ?3, ?4, ?5, iif(EXISTS (
                SELECT 1 FROM user WHERE id = ?2 AND (deleted_at IS NOT NULL OR deleting_at IS NOT NULL)
            ), json_set(?6, \(deviceNames)), ?6), ?7)
            ON CONFLICT (promise_id, user_id) DO UPDATE SET
                stage = excluded.stage, credited_at = excluded.credited_at, source = excluded.source,
                evidence = excluded.evidence, check_in = excluded.check_in
            """,
            [
                promise, user, arrival.stage.rawValue, arrival.creditedAt, arrival.source.rawValue,
                try arrival.evidence.map(StoredJSON.encode), try arrival.checkIn.map(StoredJSON.encode),
            ]
        )
    }

    static func delete(of user: UserID, in promise: PromiseID, from db: SQLConnection) throws {
        try db.run("DELETE FROM arrival WHERE promise_id = ? AND user_id = ?", [promise, user])
    }

    private static func arrival(_ row: SQLRow) throws -> Arrival {
        let evidence: String? = try row.value("evidence")
        let checkIn: String? = try row.value("check_in")
        return Arrival(
            stage: try row.raw("stage"),
            creditedAt: try row.value("credited_at"),
            source: try row.raw("source"),
            evidence: try evidence.map(StoredJSON.decode),
            checkIn: try checkIn.map(StoredJSON.decode)
        )
    }
}
