/// The queries of the scheduler; both read only the partial index `promise_by_opening`.
enum SchedulerQuery {
    /// Ids of what opens at an instant or earlier.
    static let due = """
        SELECT id FROM promise INDEXED BY promise_by_opening
        WHERE cancelled_at IS NULL AND mark < 5 AND opens_at <= ? ORDER BY opens_at, id
        """

    /// The first opening after an instant.
    static let next = """
        SELECT opens_at FROM promise INDEXED BY promise_by_opening
        WHERE cancelled_at IS NULL AND mark < 5 AND opens_at > ? ORDER BY opens_at LIMIT 1
        """
}
