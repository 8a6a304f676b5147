internal import PromisedDomain

enum ParticipantRecord {
    /// All present and former participants, in order of invitation. Primary key.
    static func fetchAll(of promise: PromiseID, from db: SQLConnection) throws -> [Participant] {
        try db.rows(
            "SELECT * FROM participant WHERE promise_id = ? ORDER BY invited_at, number",
            [promise]
        ).map { try participant($0) }
    }

    /// A user's membership; nil without a row. Primary key.
    static func membership(
        of user: UserID,
        in promise: PromiseID,
        from db: SQLConnection
    ) throws -> Participant.Membership? {
        try db.row(
            "SELECT membership FROM participant WHERE promise_id = ? AND user_id = ?",
            [promise, user]
        ).map { try $0.raw("membership") }
    }

    /// The participant in a row that holds all its columns, possibly under names with a prefix.
    static func participant(_ row: SQLRow, prefix: String = "") throws -> Participant {
        Participant(
            userID: try row.value(prefix + "user_id"),
            membership: try row.raw(prefix + "membership"),
            isSharing: try row.value(prefix + "is_sharing"),
            sharesFrom: try row.value(prefix + "shares_from"),
            invitedAt: try row.value(prefix + "invited_at"),
            acceptedAt: try row.value(prefix + "accepted_at"),
            endedAt: try row.value(prefix + "ended_at"),
            excusedReason: try row.value(prefix + "excused_reason"),
            statusText: try row.value(prefix + "status_text"),
            emoji: try row.value(prefix + "emoji"),
            isLinkSharing: try row.value(prefix + "is_link_sharing")
        )
    }

    /// Adds a participant of an existing promise, or replaces the stored one. Drops the status of a deleted user,
    /// because a session in memory may still have it.
    static func save(_ participant: Participant, of promise: PromiseID, in db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO participant (
                promise_id, user_id, number, membership, is_sharing, shares_from, invited_at, accepted_at, ended_at,
                excused_reason, status_text, emoji, is_link_sharing, meets_at, settles_at, clock
            )
            SELECT
                promise.id, :user, (SELECT count(*) + 1 FROM participant WHERE promise_id = :promise), :membership,
                :isSharing, :sharesFrom, :invitedAt, :acceptedAt, :endedAt, :excusedReason,
                iif(user.deleted_at IS NULL, :statusText, ''), iif(user.deleted_at IS NULL, :emoji, ''),
                :isLinkSharing, meets_at, settles_at, \(PromiseClock.sql)
            FROM promise LEFT JOIN user ON user.id = :user WHERE promise.id = :promise
            ON CONFLICT (promise_id, user_id) DO UPDATE SET
                membership = excluded.membership, is_sharing = excluded.is_sharing,
                shares_from = excluded.shares_from,
                invited_at = excluded.invited_at, accepted_at = excluded.accepted_at,
                ended_at = excluded.ended_at, excused_reason = excluded.excused_reason,
                status_text = excluded.status_text, emoji = excluded.emoji,
                is_link_sharing = excluded.is_link_sharing
            """,
            named: [
                "promise": promise, "user": participant.userID, "membership": participant.membership.rawValue,
                "isSharing": participant.isSharing, "sharesFrom": participant.sharesFrom,
                "invitedAt": participant.invitedAt, "acceptedAt": participant.acceptedAt,
                "endedAt": participant.endedAt, "excusedReason": participant.excusedReason,
                "statusText": participant.statusText, "emoji": participant.emoji,
                "isLinkSharing": participant.isLinkSharing,
            ]
        )
    }
}
