internal import PromisedDomain
internal import PromisedPlaces

/// The queries for one kind of course list.
struct CourseListQuery: Sendable {
    /// Ids and changes of the next courses by change. Arguments: those of the list, the box (NULL for all), at, id,
    /// limit.
    let page: String
    /// Ids and boxes of all courses in the list that show a box, with the columns in the order of ``boxColumns(_:)``.
    /// Arguments: those of the list and the box. Reads only the index.
    let boxes: String

    /// A user's own courses. Index `course_by_change`.
    static let mine = CourseListQuery(
        index: "course_by_change",
        where: "user_id = :viewer AND \(CourseQuery.isKept)",
        prefix: ""
    )

    /// The courses in a folder of the user. Index `course_by_folder`.
    static let folder = CourseListQuery(
        index: "course_by_folder",
        where: """
            folder_id = (SELECT id FROM folder
                WHERE id = :folder AND user_id = :viewer AND \(ErasingRecord.isKept("folder.id")))
            """,
        prefix: ""
    )

    /// The operator's courses. Index `course_recommended`.
    static let recommended = CourseListQuery(index: "course_recommended", where: "user_id IS NULL", prefix: "others_")

    /// The courses of one friend. Indexes `course_shared`, `course_person_by_user`.
    static let sharedByUser = CourseListQuery(
        index: "course_shared",
        where: """
            user_id = :user AND user_id <> :viewer AND \(isShared) AND EXISTS (SELECT 1 FROM friendship
                WHERE first = min(:user, :viewer) AND second = max(:user, :viewer) AND \(isFriendship))
            """,
        prefix: "others_"
    )

    /// The courses of all friends: first the newest of each friend, then the newest among those. Indexes
    /// `friendship_by_first`, `friendship_by_second`, `course_shared`, `course_person_by_user`.
    static let shared = CourseListQuery(
        page: """
            SELECT id, changed_at FROM (\(friends)) AS friend JOIN course ON course.id IN (
                SELECT id FROM course INDEXED BY course_shared WHERE user_id = friend.friend_id AND \(isShared)
                    AND \(isNext) AND \(touches("others_")) ORDER BY changed_at DESC, id DESC LIMIT :limit)
            ORDER BY changed_at DESC, id DESC LIMIT :limit
            """,
        boxes: """
            SELECT \(boxColumns("others_")) FROM (\(friends)) AS friend
            JOIN course INDEXED BY course_shared ON user_id = friend.friend_id
            WHERE \(isShared) AND others_south IS NOT NULL AND \(touches("others_"))
            """
    )

    private init(page: String, boxes: String) {
        self.page = page
        self.boxes = boxes
    }

    private init(index: String, where condition: String, prefix: String) {
        let touches = CourseListQuery.touches(prefix)
        self.init(
            page: """
                SELECT id, changed_at FROM course INDEXED BY \(index)
                WHERE \(condition) AND \(CourseListQuery.isNext) AND \(touches)
                ORDER BY changed_at DESC, id DESC LIMIT :limit
                """,
            boxes: """
                SELECT \(CourseListQuery.boxColumns(prefix)) FROM course INDEXED BY \(index)
                WHERE \(condition) AND \(prefix)south IS NOT NULL AND \(touches)
                """
        )
    }

    private static let isNext = "(changed_at, id) < (:at, :id)"

    /// `true` for a course that a friend shares with `viewer`. The index stores courses shared with one user side by
    /// side, while the primary key would read a page per course.
    private static let isShared = """
        audience <> 'private' AND (audience = 'friends' OR EXISTS (
            SELECT 1 FROM course_person INDEXED BY course_person_by_user
            WHERE course_id = course.id AND course_person.user_id = :viewer))
            AND \(CourseQuery.isKept)
        """

    private static let isFriendship = "state = 'friends' AND NOT first_blocks AND NOT second_blocks"

    private static let friends = """
        SELECT second AS friend_id FROM friendship WHERE first = :viewer AND \(isFriendship)
        UNION ALL
        SELECT first FROM friendship WHERE second = :viewer AND \(isFriendship)
        """

    private static func boxColumns(_ prefix: String) -> String {
        let edges = ["south", "west", "north", "east"].map { "\(prefix)\($0) AS \($0)" }
        return "id, " + edges.joined(separator: ", ")
    }

    /// The box in a row of ``boxes``, read by column number because a list by distance reads 5,000 rows.
    static func box(_ row: SQLRow) throws -> Box {
        Box(
            south: try row.value(1),
            west: try row.value(2),
            north: try row.value(3),
            east: try row.value(4)
        )
    }

    /// `true` if a box of the course touches the requested one; each may cross the 180° meridian.
    private static func touches(_ prefix: String) -> String {
        let (west, east) = ("course.\(prefix)west", "course.\(prefix)east")
        return """
            (:south IS NULL OR course.\(prefix)south <= :north AND course.\(prefix)north >= :south
                AND CASE (\(west) > \(east)) + (:west > :east) WHEN 0 THEN \(west) <= :east AND \(east) >= :west
                    WHEN 1 THEN \(west) <= :east OR \(east) >= :west ELSE 1 END)
            """
    }
}
