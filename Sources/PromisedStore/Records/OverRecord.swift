internal import GRDB
internal import PromisedDomain

/// Promises that are over and still have rows which are kept for a time only.
enum OverRecord {
    /// A table with such rows and an index that begins with `promise_id`.
    enum Table: String {
        case fixes = "fix"
        case events = "promise_event"
    }

    /// Those that became final or were cancelled before an instant and have rows in a table.
    ///
    /// Leaps along the index from promise to promise, so that its cost is by the promises that have rows, not by the
    /// rows nor by all promises there ever were.
    static func fetch(finalBefore instant: Instant, with table: Table, from db: Database) throws -> [PromiseID] {
        try db.rows(
            """
            WITH RECURSIVE kept(id) AS (
                SELECT min(promise_id) FROM \(table.rawValue)
                UNION ALL
                SELECT (SELECT min(promise_id) FROM \(table.rawValue) WHERE promise_id > kept.id)
                FROM kept WHERE kept.id IS NOT NULL
            )
            SELECT kept.id AS id FROM kept
            JOIN promise ON promise.id = kept.id
            LEFT JOIN result ON result.promise_id = kept.id
            WHERE coalesce(result.final_at, promise.cancelled_at) < ?
            """,
            [instant]
        ).map { try $0.value("id") }
    }
}
