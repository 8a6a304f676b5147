internal import GRDB
internal import PromisedDomain

/// The queries behind an administrator's list of promises, descending by meeting time.
enum PromiseOverviewQuery {
    /// Arguments: user (only where `ofUser`), status, now, cursorTime, cursorID (both NULL for the first page), limit.
    /// Index `participant_by_meeting` for a user's, `promise_by_meeting` for all.
    static func sql(ofUser: Bool) -> String {
        let time = ofUser ? "mine.meets_at" : "promise.meets_at"
        let id = ofUser ? "mine.promise_id" : "promise.id"
        let tables =
            ofUser
            ? """
            participant AS mine INDEXED BY participant_by_meeting JOIN promise ON promise.id = mine.promise_id
            WHERE mine.user_id = :user AND
            """
            : "promise INDEXED BY promise_by_meeting WHERE"
        return """
            SELECT promise.*, \(status) AS status,
                (SELECT count(*) FROM participant AS other WHERE other.promise_id = promise.id
                    AND other.membership IN ('invited', 'accepted')) AS participant_count
            FROM \(tables) (:status IS NULL OR \(status) = :status)
                AND (:cursorTime IS NULL OR (\(time), \(id)) < (:cursorTime, :cursorID))
            ORDER BY \(time) DESC, \(id) DESC LIMIT :limit
            """
    }

    /// How many promises have each status. Arguments: now. Reads all promises.
    static let counts = "SELECT \(status) AS status, count(*) AS count FROM promise GROUP BY 1"

    /// The status of a promise at an instant, as the domain has it.
    private static let status = """
        CASE WHEN promise.cancelled_at IS NOT NULL THEN 'cancelled' WHEN :now < promise.opens_at THEN 'scheduled'
            WHEN :now < promise.closes_at THEN 'tracking' WHEN :now < promise.settles_at THEN 'settling'
            ELSE 'final' END
        """
}
