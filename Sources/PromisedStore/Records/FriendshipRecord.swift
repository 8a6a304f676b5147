internal import PromisedDomain

enum FriendshipRecord {
    /// The pair as stored, or `fresh` if there is none or one of the two is being erased. Primary keys.
    static func fetch(_ fresh: Friendship, from db: SQLConnection) throws -> Friendship {
        let row = try db.row(
            "SELECT * FROM friendship WHERE first = ? AND second = ? AND \(ErasingRecord.isKept("first", "second"))",
            [fresh.first, fresh.second]
        )
        guard let row else { return fresh }
        var friendship = fresh
        friendship.state = try state(row)
        friendship.since = try row.value("since")
        if let requester: UserID = try row.value("rejected_requester") {
            friendship.rejection = Friendship.Rejection(
                requester: requester,
                at: try row.value("rejected_at"),
                isShown: try row.value("rejection_shown")
            )
        }
        if try row.value("first_blocks") { friendship.blockedBy.insert(fresh.first) }
        if try row.value("second_blocks") { friendship.blockedBy.insert(fresh.second) }
        return friendship
    }

    /// Saves a changed pair. The end of a friendship permanently removes the two users from the lists of people of each
    /// other's courses: a later friendship does not restore them. Primary keys, indexes `course_person_by_user`,
    /// `course_by_change`.
    static func save(_ friendship: Friendship, after before: Friendship, in db: SQLConnection) throws {
        try save(friendship, in: db)
        guard before.state == .friends, friendship.state != .friends else { return }
        for (user, other) in [(friendship.first, friendship.second), (friendship.second, friendship.first)] {
            try db.run(leaveCourses, [user, other])
        }
    }

    static let leaveCourses = """
        DELETE FROM course_person WHERE (course_id, user_id) IN (
            SELECT course_id, course_person.user_id FROM course_person JOIN course ON course.id = course_id
            WHERE course_person.user_id = ? AND course.user_id = ?
        )
        """

    /// Writes the pair, or deletes its row if the pair has no state.
    static func save(_ friendship: Friendship, in db: SQLConnection) throws {
        guard friendship.isWorthRemembering else {
            return try db.run(
                "DELETE FROM friendship WHERE first = ? AND second = ?",
                [friendship.first, friendship.second]
            )
        }
        try db.run(
            """
            INSERT OR REPLACE INTO friendship (
                first, second, state, requester, since, rejected_requester, rejected_at, rejection_shown,
                first_blocks, second_blocks
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                friendship.first, friendship.second, friendship.state.name, friendship.state.requester,
                friendship.since, friendship.rejection?.requester, friendship.rejection?.at,
                friendship.rejection?.isShown ?? false, friendship.blockedBy.contains(friendship.first),
                friendship.blockedBy.contains(friendship.second),
            ]
        )
    }

    /// The counts for the limits of `user` and `other`. Indexes `friendship_by_first`, `friendship_by_second`,
    /// `friendship_shown_rejected`.
    static func counts(of user: UserID, and other: UserID, in db: SQLConnection) throws -> Friendship.Counts {
        Friendship.Counts(
            mine: try friendCount(of: user, in: db),
            theirs: try friendCount(of: other, in: db),
            outgoing: try db.number(
                """
                SELECT (SELECT count(*) FROM friendship WHERE first = :user AND state = 'requested' AND requester = :user
                        AND \(ErasingRecord.isKept("second")))
                    + (SELECT count(*) FROM friendship WHERE second = :user AND state = 'requested' AND requester = :user
                        AND \(ErasingRecord.isKept("first")))
                    + (SELECT count(*) FROM friendship WHERE rejected_requester = :user AND rejection_shown = 1
                        AND \(ErasingRecord.isKept("first", "second")))
                """,
                named: ["user": user]
            )
        )
    }

    // Indexes `friendship_by_first`, `friendship_by_second`.
    private static func friendCount(of user: UserID, in db: SQLConnection) throws -> Int {
        try db.number(
            """
            SELECT (SELECT count(*) FROM friendship WHERE first = :user AND state = 'friends'
                    AND \(ErasingRecord.isKept("second")))
                + (SELECT count(*) FROM friendship WHERE second = :user AND state = 'friends'
                    AND \(ErasingRecord.isKept("first")))
            """,
            named: ["user": user]
        )
    }

    private static func state(_ row: SQLRow) throws -> Friendship.State {
        switch try row.value("state") as String {
        case "friends": .friends
        case "requested": .requested(by: try row.value("requester"))
        case "none": .none
        default: throw StoreError.damaged("An unknown state of a friendship")
        }
    }
}

extension Friendship {
    /// `true` if the pair has any state to store.
    fileprivate var isWorthRemembering: Bool { state != .none || rejection != nil || !blockedBy.isEmpty }
}

extension Friendship.State {
    fileprivate var name: String {
        switch self {
        case .none: "none"
        case .requested: "requested"
        case .friends: "friends"
        }
    }

    /// The user who sent the open request.
    fileprivate var requester: UserID? {
        switch self {
        case .requested(let requester): requester
        case .none, .friends: nil
        }
    }
}
