internal import GRDB
internal import PromisedDomain

/// The queries of lists of visits.
enum VisitQuery {
    /// The next visits of a user, newest first. Index `visit_by_time`.
    static let own = """
        SELECT * FROM visit INDEXED BY visit_by_time WHERE \(filter) ORDER BY at DESC, id DESC LIMIT :limit
        """

    /// The next visits of a user that `viewer`, who is another and not across a block, may see, newest first. Index
    /// `visit_shared`.
    static let shared = """
        SELECT * FROM visit INDEXED BY visit_shared WHERE \(filter) AND audience <> 'private'
            AND CASE audience WHEN 'friends' THEN :isFriend
                ELSE EXISTS (SELECT 1 FROM companion WHERE visit_id = visit.id AND companion.user_id = :viewer) END
        ORDER BY at DESC, id DESC LIMIT :limit
        """

    static let toPlace = "SELECT count(*) FROM visit WHERE place_id = :place AND user_id = :user"

    /// All parts of a ``VisitFilter`` but the text. A category or region means its parts as well.
    private static let filter = """
        user_id = :user AND (at, id) < (:at, :id) AND at >= :from
            AND (:place IS NULL OR place_id = :place)
            AND (:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))
            AND (:categories IS NULL OR EXISTS (SELECT 1 FROM json_each(:categories)
                WHERE category = value OR substr(category, 1, instr(category, '/') - 1) = value))
            AND (:regions IS NULL OR EXISTS (SELECT 1 FROM json_each(:regions)
                WHERE region = value OR substr(region, 1, instr(region, '/') - 1) = value))
        """

    /// All that statistics need of the visits of a user. Index `visit_by_time`.
    static let countable = """
        SELECT at, local_date, is_market_day, place_id, latitude, longitude, category, region, outcome, place_name,
            place_address, EXISTS (SELECT 1 FROM companion WHERE visit_id = visit.id) AS has_companions
        FROM visit WHERE user_id = ?
        """

    /// The statistics of all visits of a user. Index `visit_by_time`, primary keys.
    static func statistics(of user: UserID, from db: Database) throws -> VisitStatistics {
        var visits: [CountableVisit] = []
        let rows = try db.cursor(countable, [user])
        while let row = try rows.next() {
            let visit = CountableVisit(
                moment: try VisitRecord.moment(row),
                outcome: try row.optionalRaw("outcome"),
                hasCompanions: try row.value("has_companions")
            )
            visits.append(visit)
        }
        return VisitStatistics(of: visits, marks: try VisitBadgeRecord.fetchAll(of: user, from: db))
    }

    /// The relation of a user who asks to the user of a visit. Primary key.
    static func relation(
        of viewer: UserID,
        to user: UserID,
        in db: Database
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
