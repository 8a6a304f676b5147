internal import PromisedDomain

enum PromiseRecord {
    /// Primary key.
    static func fetch(_ id: PromiseID, from db: SQLConnection) throws -> Promise? {
        try db.row("SELECT * FROM promise WHERE id = ?", [id]).map(promise)
    }

    static func promise(_ row: SQLRow) throws -> Promise {
        Promise(
            id: try row.value("id"),
            ownerID: try row.value("owner_id"),
            title: try row.value("title"),
            note: try row.value("note"),
            place: try place(row),
            meetsAt: try row.value("meets_at"),
            radiusMetres: try row.value("radius_metres"),
            penalty: try penalty(row),
            rule: try rule(row),
            spans: try spans(row),
            version: try row.value("version"),
            createdAt: try row.value("created_at"),
            cancelledAt: try row.value("cancelled_at"),
            cancelReason: try row.value("cancel_reason"),
            courseID: try row.value("course_id"),
            preview: try row.raw("preview"),
            epoch: try row.value("epoch")
        )
    }

    static func penalty(_ row: SQLRow) throws -> Penalty? {
        guard let amount: Int32 = try row.value("penalty_amount") else { return nil }
        return Penalty(amount: amount, currency: try row.value("penalty_currency"))
    }

    private static func place(_ row: SQLRow) throws -> Place {
        Place(
            name: try row.value("place_name"),
            address: try row.value("place_address"),
            coordinate: Coordinate(latitude: try row.value("latitude"), longitude: try row.value("longitude")),
            placeID: try row.value("place_id")
        )
    }

    private static func rule(_ row: SQLRow) throws -> ArrivalRule {
        ArrivalRule(name: try row.raw("rule_name"), grace: try row.value("rule_grace"), mock: try row.raw("rule_mock"))
    }

    private static func spans(_ row: SQLRow) throws -> WindowSpans {
        WindowSpans(
            before: try row.value("span_before"),
            after: try row.value("span_after"),
            settle: try row.value("span_settle")
        )
    }

    // MARK: - Writing

    /// Adds a promise that has never been activated.
    static func insert(_ promise: Promise, into db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO promise (
                id, owner_id, title, note, place_id, place_name, place_address, latitude, longitude, meets_at,
                radius_metres,
                penalty_amount, penalty_currency, rule_name, rule_grace, rule_mock, span_before, span_after,
                span_settle, version, created_at, cancelled_at, cancel_reason, epoch, preview, course_id
            ) VALUES (
                :id, :owner, :title, :note, :placeID, :placeName, :placeAddress, :latitude, :longitude, :meetsAt,
                :radius,
                :penaltyAmount, :penaltyCurrency, :ruleName, :ruleGrace, :ruleMock, :spanBefore, :spanAfter,
                :spanSettle, :version, :createdAt, :cancelledAt, :cancelReason, :epoch, :preview,
                \(ownCourse)
            )
            """,
            named: columns(promise)
        )
    }

    /// Replaces all fields of a promise. Primary key.
    static func update(_ promise: Promise, in db: SQLConnection) throws {
        try db.run(
            """
            UPDATE promise SET
                owner_id = :owner, title = :title, note = :note, place_id = :placeID, place_name = :placeName,
                place_address = :placeAddress, latitude = :latitude, longitude = :longitude, meets_at = :meetsAt,
                radius_metres = :radius, penalty_amount = :penaltyAmount, penalty_currency = :penaltyCurrency,
                rule_name = :ruleName, rule_grace = :ruleGrace, rule_mock = :ruleMock, span_before = :spanBefore,
                span_after = :spanAfter, span_settle = :spanSettle, version = :version, created_at = :createdAt,
                cancelled_at = :cancelledAt, cancel_reason = :cancelReason, epoch = :epoch, preview = :preview,
                course_id = \(ownCourse)
            WHERE id = :id
            """,
            named: columns(promise)
        )
    }

    /// The course, unless it was deleted or belongs to another user: a session in memory may still refer to it.
    private static let ownCourse = "(SELECT id FROM course WHERE id = :courseID AND user_id = :owner)"

    private static func columns(_ promise: Promise) -> [String: (any StoredValue)?] {
        [
            "id": promise.id, "owner": promise.ownerID, "title": promise.title, "note": promise.note,
            "placeID": promise.place.placeID, "placeName": promise.place.name, "placeAddress": promise.place.address,
            "latitude": promise.place.coordinate.latitude, "longitude": promise.place.coordinate.longitude,
            "meetsAt": promise.meetsAt, "radius": promise.radiusMetres,
            "penaltyAmount": promise.penalty?.amount, "penaltyCurrency": promise.penalty?.currency,
            "ruleName": promise.rule.name.rawValue, "ruleGrace": promise.rule.grace,
            "ruleMock": promise.rule.mock.rawValue, "spanBefore": promise.spans.before,
            "spanAfter": promise.spans.after, "spanSettle": promise.spans.settle, "version": promise.version,
            "createdAt": promise.createdAt, "cancelledAt": promise.cancelledAt,
            "cancelReason": promise.cancelReason, "epoch": promise.epoch, "courseID": promise.courseID,
            "preview": promise.preview.rawValue,
        ]
    }
}

/// Finished promises that still have rows with a limited retention.
enum FinishedPromiseRecord {
    /// A table with such rows and an index that begins with `promise_id`.
    enum Table: String {
        case fixes = "fix"
        case events = "promise_event"
    }

    /// Promises that became final or were cancelled before an instant and have rows in a table.
    ///
    /// Skips along the index from promise to promise, so the cost depends on the number of promises with rows, not on
    /// the number of rows or of all promises.
    static func fetch(finalBefore instant: Instant, with table: Table, from db: SQLConnection) throws -> [PromiseID] {
        try db.rows(
            """
            WITH RECURSIVE kept(id) AS (
                SELECT min(promise_id) FROM \(table.rawValue)
                UNION ALL
                SELECT (SELECT min(promise_id) FROM \(table.rawValue) WHERE promise_id > kept.id)
                FROM kept WHERE kept.id IS NOT NULL
            )
            SELECT kept.id AS id FROM kept
            JOIN promise ON promise.id = kept.id
            LEFT JOIN result ON result.promise_id = kept.id
            WHERE coalesce(result.final_at, promise.cancelled_at) < ?
            """,
            [instant]
        ).map { try $0.value("id") }
    }
}
