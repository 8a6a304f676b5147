extension Invariant {
    /// The running totals, compared with the rows that they count.
    static let totals = [
        Invariant(
            name: "totals-in-step",
            sql: """
                SELECT thing || ' ' || kind FROM (
                    SELECT thing, kind, count, amount FROM total
                    UNION ALL SELECT 'file', kind, -count(*), -sum(bytes) FROM file GROUP BY kind
                    UNION ALL SELECT 'owner', '', -count(DISTINCT user_id), 0 FROM file
                    UNION ALL SELECT 'course', source, -count(*), -sum(points + dropped) FROM course GROUP BY source
                    UNION ALL SELECT 'recording', state, -count(*), 0 FROM recording GROUP BY state
                    UNION ALL SELECT 'promise', iif(cancelled_at IS NULL, 'held', 'cancelled'), -count(*), 0
                        FROM promise GROUP BY 2
                    UNION ALL SELECT 'user', '', -count(*), 0 FROM user WHERE deleted_at IS NULL
                ) GROUP BY thing, kind HAVING sum(count) <> 0 OR sum(amount) <> 0
                """
        )
    ]
}
