internal import Foundation
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces

/// The queries of lists of visits.
enum VisitQuery {
    /// The next visits of a user, newest first. Index `visit_by_time`.
    static let own = """
        SELECT * FROM visit INDEXED BY visit_by_time WHERE \(filter) ORDER BY at DESC, id DESC LIMIT :limit
        """

    /// The next visits of a user that `viewer`, another user not separated by a block, may see, newest first. Indexes
    /// `visit_by_time`, `companion_by_user`.
    static let shared = """
        SELECT * FROM visit INDEXED BY visit_by_time WHERE \(filter) AND audience <> 'private'
            AND \(ErasingRecord.isKept(":user"))
            AND :isFriend AND (audience = 'friends'
                OR EXISTS (SELECT 1 FROM companion WHERE visit_id = visit.id AND companion.user_id = :viewer))
        ORDER BY at DESC, id DESC LIMIT :limit
        """

    static let toPlace = "SELECT count(*) FROM visit WHERE place_id = :place AND user_id = :user"

    /// All parts of a ``VisitFilter`` except the text, using only columns of `visit_by_time`: SQLite reads only rows
    /// that pass. A category or region includes its parts.
    private static let filter = """
        user_id = :user AND (at, id) < (:at, :id) AND at >= :from
            AND (:place IS NULL OR place_id = :place)
            AND (:kinds IS NULL OR kind IN \(values(":kinds")))
            AND (:categories IS NULL OR \(isAmong("category", ":categories")))
            AND (:regions IS NULL OR \(isAmong("region", ":regions")))
        """

    /// `true` if a column equals, or is a part of, an element of a list. SQLite evaluates a list once per query, but a
    /// subquery that uses the column once per row: 10,000 rows take 3 instead of 30 ms.
    private static func isAmong(_ column: String, _ list: String) -> String {
        """
        \(column) IN \(values(list)) OR instr(\(column), '/')
            AND substr(\(column), 1, instr(\(column), '/') - 1) IN \(values(list))
        """
    }

    private static func values(_ list: String) -> String { "(SELECT value FROM json_each(\(list)))" }

    /// The columns of ``CountableVisit``, in the order of its parameters, by time. Index `visit_by_time` has all of
    /// them but the mark of simulated positions, which few visits have: `visit_mock` lists those.
    static let countable = """
        SELECT place_id, latitude, longitude, category, region, at, local_date, is_market_day, outcome, is_together,
            id IN (SELECT id FROM visit INDEXED BY visit_mock WHERE user_id = ?1 AND is_mock = 1)
        FROM visit INDEXED BY visit_by_time WHERE user_id = ?1 ORDER BY at, id
        """

    /// The statistics of all visits of a user. Index `visit_by_time`, primary key.
    static func statistics(of user: UserID, from db: SQLConnection) throws -> VisitStatistics {
        let marks = try VisitBadgeRecord.fetchAll(of: user, from: db)
        let rows = try db.cursor(countable, [user])
        return try VisitStatistics(marks: marks) { try rows.next().map(countableVisit) }
    }

    /// The dates of badges that a user's visits have earned but that are not stored. Index `visit_by_time`, primary
    /// key.
    static func newMarks(of user: UserID, from db: SQLConnection) throws -> [VisitBadge: Instant] {
        let marks = try VisitBadgeRecord.fetchAll(of: user, from: db)
        let rows = try db.cursor(countable, [user])
        return try VisitStatistics.newMarks(beside: marks) { try rows.next().map(countableVisit) }
    }

    /// The part of a visit that counts. Access by column number takes a third of the time.
    private static func countableVisit(_ row: SQLRow) throws -> CountableVisit {
        let placeID: PlaceID? = try row.value(0)
        let coordinate = Coordinate(latitude: try row.value(1), longitude: try row.value(2))
        let (category, region): (String?, String?) = (try row.value(3), try row.value(4))
        let outcome: String? = try row.value(8)
        return CountableVisit(
            spot: CountableVisit.Spot(placeID, at: coordinate),
            day: try row.value(6),
            at: try row.value(5),
            category: category.map(CategoryID.init(text:)),
            region: region.map(RegionCode.init(text:)),
            isMarketDay: try row.value(7),
            outcome: outcome.flatMap(Outcome.init(rawValue:)),
            hasCompanions: try row.value(9),
            isMock: try row.value(10)
        )
    }

    /// `true` if the visit exists and the user may see it. Primary keys.
    ///
    /// Reads no texts, so a negative reply takes as long as for an unknown visit.
    static func isVisible(_ visit: VisitID, to viewer: UserID, in db: SQLConnection) throws -> Bool {
        guard let row = try db.rows(access, named: ["visit": visit, "viewer": viewer]).first else { return false }
        let relation = Audience.Relation(
            isSelf: try row.value("user_id") == viewer,
            isFriend: try row.value("is_friend"),
            isNamed: try row.value("is_named"),
            isBlocked: try row.value("is_blocked")
        )
        return try (row.raw("audience") as Audience).admits(relation)
    }

    /// A visit's audience, and the relation of `viewer` to it. Returns no row for a visit that the viewer may not see,
    /// so the reply takes as long as for an unknown visit.
    static let access = """
        SELECT visit.user_id AS user_id, audience, \(isFriend) AS is_friend, \(isBlocked) AS is_blocked,
            \(isNamed) AS is_named
        \(seen(":visit"))
        """

    /// The clauses that select the visit with an id if ``Audience/admits(_:)`` lets `viewer` see it. Primary keys.
    ///
    /// - Parameter id: an expression.
    static func seen(_ id: String) -> String {
        """
        FROM visit LEFT JOIN friendship
            ON first = min(visit.user_id, :viewer) AND second = max(visit.user_id, :viewer)
        WHERE visit.id = \(id) AND \(ErasingRecord.isKept("visit.user_id"))
            AND (visit.user_id = :viewer OR NOT \(isBlocked) AND CASE audience
            WHEN 'companions' THEN \(isFriend) AND \(isNamed) WHEN 'friends' THEN \(isFriend) ELSE 0 END)
        """
    }

    private static let isFriend = "coalesce(state = 'friends', 0)"
    private static let isBlocked = "coalesce(first_blocks OR second_blocks, 0)"
    private static let isNamed = """
        EXISTS (SELECT 1 FROM companion WHERE visit_id = visit.id AND companion.user_id = :viewer)
        """

    /// The viewer's relation to the user of the visits. Primary key.
    static func relation(
        of viewer: UserID,
        to user: UserID,
        in db: SQLConnection
    ) throws -> (isFriend: Bool, isBlocked: Bool) {
        let row = try db.row(
            """
            SELECT state = 'friends' AS is_friend, first_blocks OR second_blocks AS is_blocked FROM friendship
            WHERE first = ? AND second = ?
            """,
            [min(viewer, user), max(viewer, user)]
        )
        guard let row else { return (false, false) }
        return (try row.value("is_friend"), try row.value("is_blocked"))
    }
}
