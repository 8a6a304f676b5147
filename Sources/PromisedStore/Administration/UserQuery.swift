internal import PromisedDomain

/// The queries for an administrator's view of accounts. Arguments: now, and the ones of each query.
enum UserQuery {
    /// The account with this id. Primary key.
    static let byID = select + " WHERE user.id = :id"
    /// The accounts whose folded nickname or address is exactly `key`. Indexes `user_by_nickname`, `user_by_email`.
    static let byName = select + " WHERE nickname_key = :key OR email_key = :key ORDER BY nickname_key"
    /// The accounts with a nickname, after a cursor, by folded nickname. Index `user_by_nickname`.
    static let list =
        select + """
             WHERE nickname_key IS NOT NULL
                AND (:text IS NULL OR instr(nickname_key, :text) > 0 OR instr(email_key, :text) > 0)
                AND (:disabled = 0 OR disabled_at IS NOT NULL)
                AND (:cursorKey IS NULL OR (nickname_key, user.id) > (:cursorKey, :cursorID))
            ORDER BY nickname_key, user.id LIMIT :limit
            """

    static func account(_ row: SQLRow) throws -> AdministeredAccount {
        let subject: String? = try row.value("external_subject")
        return AdministeredAccount(
            account: try AccountRecord.account(row),
            isExternal: subject != nil,
            friendCount: try row.value("friend_count"),
            promiseCount: try row.value("promise_count")
        )
    }

    // Indexes `friendship_by_first`, `friendship_by_second`, `participant_open` for the counts.
    private static let select = """
        SELECT user.*,
            (SELECT count(*) FROM friendship WHERE first = user.id AND state = 'friends'
                    AND \(ErasingRecord.isKept("first", "second")))
                + (SELECT count(*) FROM friendship WHERE second = user.id AND state = 'friends'
                    AND \(ErasingRecord.isKept("first", "second"))) AS friend_count,
            (SELECT count(*) FROM participant INDEXED BY participant_open
                WHERE user_id = user.id AND membership IN ('invited', 'accepted') AND settles_at > :now
                    AND clock <> 'cancelled') AS promise_count
        FROM user
        """
}
