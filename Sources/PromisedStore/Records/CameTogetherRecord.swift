internal import PromisedDomain

/// A row of `came_together`: two participants whose arrivals share a rank, and why.
enum CameTogetherRecord {
    /// The pairs of a promise, in order of their ids. Primary key.
    static func fetchAll(of promise: PromiseID, from db: SQLConnection) throws -> [CameTogether] {
        let rows = try db.rows(
            "SELECT * FROM came_together WHERE promise_id = ? ORDER BY first_id, second_id",
            [promise]
        )
        return try rows.map { row in
            CameTogether(
                pair: UserPair(try row.value("first_id"), try row.value("second_id")),
                medianDistanceMetres: try row.value("median_distance_metres"),
                limitMetres: try row.value("limit_metres"),
                momentCount: try row.value("moment_count"),
                creditedAt: try row.value("credited_at")
            )
        }
    }

    /// Stores a change. Primary key.
    static func apply(_ change: TogetherChange, to promise: PromiseID, in db: SQLConnection) throws {
        for pair in change.parted {
            try db.run(
                "DELETE FROM came_together WHERE promise_id = ? AND first_id = ? AND second_id = ?",
                [promise, pair.first, pair.second]
            )
        }
        for (pair, found) in change.found {
            try db.run(
                """
                INSERT OR REPLACE INTO came_together (
                    promise_id, first_id, second_id, median_distance_metres, limit_metres, moment_count, credited_at
                ) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    promise, pair.first, pair.second, found.medianDistanceMetres, found.limitMetres, found.momentCount,
                    found.creditedAt,
                ]
            )
        }
    }
}
