internal import PromisedDomain

/// The queries for a user's lists of promises; each starts from an index of `participant` that begins with the user.
enum PromiseListQuery {
    /// The query of a list; its arguments are user, now, cursorTime, cursorID (both NULL for the first page) and limit.
    static func sql(_ list: PromiseList) -> String {
        """
        SELECT promise.*,
            mine.user_id AS my_user_id, mine.membership AS my_membership, mine.is_sharing AS my_is_sharing,
            mine.shares_from AS my_shares_from,
            mine.invited_at AS my_invited_at, mine.accepted_at AS my_accepted_at, mine.ended_at AS my_ended_at,
            mine.excused_reason AS my_excused_reason, mine.status_text AS my_status_text, mine.emoji AS my_emoji,
            mine.is_link_sharing AS my_is_link_sharing,
            (SELECT count(*) FROM participant AS other WHERE other.promise_id = promise.id
                AND other.membership IN ('invited', 'accepted')) AS participant_count
        FROM participant AS mine INDEXED BY \(index(list)) JOIN promise ON promise.id = mine.promise_id
        WHERE mine.user_id = :user AND \(condition(list))
            AND (:cursorTime IS NULL OR (mine.meets_at, mine.promise_id) \(isAscending(list) ? ">" : "<")
                (:cursorTime, :cursorID))
        ORDER BY mine.meets_at \(order(list)), mine.promise_id \(order(list)) LIMIT :limit
        """
    }

    static func item(_ row: SQLRow) throws -> ListedPromise {
        ListedPromise(
            promise: try PromiseRecord.promise(row),
            participant: try ParticipantRecord.participant(row, prefix: "my_"),
            participantCount: try row.value("participant_count")
        )
    }

    /// The promises of a user whose window overlaps another. The index finds those that settle after that window opens;
    /// the rest is compared row by row.
    static let overlapping = """
        SELECT promise.* FROM participant AS mine INDEXED BY participant_open
        JOIN promise ON promise.id = mine.promise_id
        WHERE mine.user_id = :user AND mine.membership = 'accepted' AND mine.settles_at > :opensAt
            AND mine.clock <> 'cancelled' AND promise.opens_at < :closesAt AND promise.closes_at > :opensAt
            AND promise.id IS NOT :excluded
        ORDER BY promise.meets_at, promise.id LIMIT :limit
        """

    /// All promises in which a user ever had a part; reads only the index.
    static let parts = """
        SELECT meets_at, promise_id FROM participant INDEXED BY participant_by_meeting
        WHERE user_id = :user AND (meets_at, promise_id) > (:time, :id)
        ORDER BY meets_at, promise_id LIMIT :limit
        """

    static func part(_ row: SQLRow) throws -> PromiseCursor {
        PromiseCursor(meetsAt: try row.value("meets_at"), promiseID: try row.value("promise_id"))
    }

    /// How many open friend requests a user has received.
    static let openFriendRequests = """
        SELECT (SELECT count(*) FROM friendship WHERE first = :user AND state = 'requested' AND requester <> :user
                AND \(ErasingRecord.isKept("second")))
            + (SELECT count(*) FROM friendship WHERE second = :user AND state = 'requested' AND requester <> :user
                AND \(ErasingRecord.isKept("first")))
        """

    /// How many open invitations a user has.
    static let openInvitations = """
        SELECT count(*) FROM participant AS mine INDEXED BY participant_open
        JOIN promise ON promise.id = mine.promise_id
        WHERE mine.user_id = :user AND mine.membership = 'invited' AND mine.settles_at > :now
            AND mine.clock <> 'cancelled' AND promise.closes_at > :now
        """

    /// How many unfinished promises a user has accepted; reads only the index.
    static let participations = """
        SELECT count(*) FROM participant INDEXED BY participant_open
        WHERE user_id = :user AND membership = 'accepted' AND settles_at > :now AND clock <> 'cancelled'
        """

    /// The clocks and ends of a user's other promises that settle between two instants; reads only the index.
    static let clocks = """
        SELECT settles_at, clock FROM participant INDEXED BY participant_open
        WHERE user_id = :user AND membership = 'accepted' AND settles_at > :from AND settles_at < :to
            AND clock <> 'cancelled' AND promise_id IS NOT :excluded
        """

    static func window(_ row: SQLRow) throws -> Range<Instant> {
        guard case .running(let spans) = PromiseClock(try row.value("clock") as String),
            spans.before + spans.after >= .zero
        else { throw StoreError.damaged("An unknown clock of a participant") }
        let settlesAt: Instant = try row.value("settles_at")
        let closesAt = settlesAt - spans.settle
        return closesAt - spans.after - spans.before..<closesAt
    }

    // Tracking and invited promises are the few that have not settled; the other lists are read in order of meeting.
    private static func index(_ list: PromiseList) -> String {
        switch list {
        case .upcoming, .past: "participant_by_meeting"
        case .tracking, .invited: "participant_open"
        }
    }

    private static func condition(_ list: PromiseList) -> String {
        switch list {
        case .upcoming:
            """
            mine.meets_at > :now AND mine.membership = 'accepted'
            AND promise.cancelled_at IS NULL AND promise.opens_at > :now
            """
        case .tracking:
            """
            mine.membership = 'accepted' AND mine.settles_at > :now
            AND mine.clock <> 'cancelled' AND promise.opens_at <= :now
            """
        case .past:
            """
            (promise.cancelled_at IS NOT NULL OR mine.settles_at <= :now)
            AND (mine.membership = 'accepted' OR mine.membership IN ('left', 'removed')
                AND mine.accepted_at IS NOT NULL AND mine.ended_at >= promise.opens_at)
            """
        case .invited:
            """
            mine.membership = 'invited' AND mine.settles_at > :now
            AND mine.clock <> 'cancelled' AND promise.closes_at > :now
            """
        }
    }

    private static func isAscending(_ list: PromiseList) -> Bool {
        switch list {
        case .upcoming, .tracking, .invited: true
        case .past: false
        }
    }

    private static func order(_ list: PromiseList) -> String { isAscending(list) ? "ASC" : "DESC" }
}
