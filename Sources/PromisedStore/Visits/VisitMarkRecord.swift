internal import PromisedDomain
internal import PromisedJournal

/// The rows of `visit_mark`.
enum VisitMarkRecord {
    static func insert(_ mark: VisitMark, into db: SQLConnection) throws {
        try db.run(
            "INSERT INTO visit_mark (user_id, promise_id, visit_id) VALUES (?, ?, ?)",
            [mark.userID, mark.promiseID, mark.id]
        )
    }
}

/// The rows of `visit_badge`: the dates of badges that the existing visits no longer prove.
enum VisitBadgeRecord {
    /// The stored dates of a user. Primary key. Skips badges that this version does not know.
    static func fetchAll(of user: UserID, from db: SQLConnection) throws -> [VisitBadge: Instant] {
        var marks: [VisitBadge: Instant] = [:]
        for row in try db.rows("SELECT badge, earned_at FROM visit_badge WHERE user_id = ?", [user]) {
            guard let badge = VisitBadge(rawValue: try row.value("badge")) else { continue }
            marks[badge] = try row.value("earned_at")
        }
        return marks
    }

    /// Stores the dates of a user's badges that have none yet. Primary key.
    static func keep(_ marks: [VisitBadge: Instant], of user: UserID, in db: SQLConnection) throws {
        for (badge, instant) in marks {
            try db.run(
                "INSERT INTO visit_badge (user_id, badge, earned_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [user, badge.rawValue, instant]
            )
        }
    }

    /// Deletes the stored dates of a user. Primary key.
    static func deleteAll(of user: UserID, in db: SQLConnection) throws {
        try db.run("DELETE FROM visit_badge WHERE user_id = ?", [user])
    }
}
