internal import PromisedDomain
internal import PromisedJournal

enum CourseQuery {
    static let byTitle = "SELECT id FROM course WHERE folder_id = ? AND title_key = ?"

    static let room = """
        SELECT count(*) AS courses, coalesce(sum(points + dropped), 0) AS points FROM course WHERE user_id = ? AND \(isKept)
        """

    /// The first courses of a user with their numbers of points. Index `course_by_change`.
    static let firstOfUser = "SELECT id, points + dropped AS points FROM course WHERE user_id = ? LIMIT ?"

    static let track = "SELECT segment, count, points FROM course_track WHERE course_id = ? ORDER BY segment"

    /// A course's user and audience, and the relation of `viewer` to it. Returns no row for a course that the viewer
    /// may not see, so the reply takes as long as for an unknown course.
    static let access = """
        SELECT course.user_id AS user_id, audience, \(isFriend) AS is_friend, \(isBlocked) AS is_blocked,
            \(isNamed) AS is_named, \(isCarried) AS is_carried
        \(seen(":course"))
        """

    /// The clauses that select the course with an id if ``Course/isVisible(of:for:to:isCarried:)`` lets `viewer` see
    /// it. Primary keys, index `promise_by_course`.
    ///
    /// - Parameter id: an expression.
    static func seen(_ id: String) -> String {
        """
        FROM course LEFT JOIN friendship
            ON first = min(course.user_id, :viewer) AND second = max(course.user_id, :viewer)
        WHERE course.id = \(id) AND \(isKept) AND (course.user_id IS NULL OR course.user_id = :viewer
            OR NOT \(isBlocked) AND (CASE audience WHEN 'friends' THEN \(isFriend)
                WHEN 'people' THEN \(isFriend) AND \(isNamed) ELSE 0 END OR \(isCarried)))
        """
    }

    /// `true` for a course that is not being erased with its folder or user.
    static let isKept = ErasingRecord.isKept("course.folder_id", "course.user_id")

    private static let isFriend = "coalesce(state = 'friends', 0)"
    private static let isBlocked = "coalesce(first_blocks OR second_blocks, 0)"
    private static let isNamed = """
        EXISTS (SELECT 1 FROM course_person WHERE course_id = course.id AND course_person.user_id = :viewer)
        """

    /// `true` while a promise of the course's owner carries it and `viewer` is in that promise.
    private static let isCarried = """
        EXISTS (SELECT 1 FROM promise JOIN participant ON participant.promise_id = promise.id
            WHERE promise.course_id = course.id AND promise.owner_id = course.user_id
            AND participant.user_id = :viewer AND membership IN ('invited', 'accepted'))
        """

    /// `true` if the course exists and the user may see it now. Primary keys, index `promise_by_course`.
    ///
    /// Reads no texts, so a negative reply takes as long as for an unknown course.
    static func isVisible(_ course: CourseID, to viewer: UserID, in db: SQLConnection) throws -> Bool {
        guard let row = try db.rows(access, named: ["course": course, "viewer": viewer]).first else { return false }
        let user: UserID? = try row.value("user_id")
        let relation = Audience.Relation(
            isSelf: user == viewer,
            isFriend: try row.value("is_friend"),
            isNamed: try row.value("is_named"),
            isBlocked: try row.value("is_blocked")
        )
        return Course.isVisible(
            of: user,
            for: try row.raw("audience"),
            to: relation,
            isCarried: try row.value("is_carried")
        )
    }
}
