/// The queries on `total`, whose rows triggers keep up to date. Primary key.
enum TotalQuery {
    /// The non-zero totals of a thing. Arguments: the thing.
    static let kinds = "SELECT kind, count, amount FROM total WHERE thing = ? AND count > 0"

    /// The total of a thing without kinds.
    static func count(_ thing: String, in db: SQLConnection) throws -> Int {
        try db.row("SELECT count FROM total WHERE thing = ? AND kind = ''", [thing])?.value("count") ?? 0
    }

    /// The promises by status: the cancelled and the settled ones by their totals, the others by index
    /// `promise_by_settling`. Arguments: now.
    static let promises = """
        WITH unsettled AS (
            SELECT CASE WHEN :now < opens_at THEN 'scheduled' WHEN :now < closes_at THEN 'tracking' ELSE 'settling' END
                AS status, count(*) AS count
            FROM promise INDEXED BY promise_by_settling WHERE cancelled_at IS NULL AND settles_at > :now GROUP BY 1
        )
        SELECT status, count FROM unsettled
        UNION ALL SELECT 'cancelled', count FROM total WHERE thing = 'promise' AND kind = 'cancelled'
        UNION ALL SELECT 'final', count - (SELECT coalesce(sum(count), 0) FROM unsettled) FROM total
            WHERE thing = 'promise' AND kind = 'held'
        """
}
