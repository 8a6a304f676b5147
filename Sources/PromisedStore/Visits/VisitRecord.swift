internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces

/// The rows of `visit` with their rows of `visit_photo` and `companion`.
enum VisitRecord {
    /// The visit of a row with all columns, without photos and companions: ``complete(_:from:)`` adds them.
    static func bare(_ row: SQLRow) throws -> Visit {
        Visit(
            id: try row.value("id"),
            userID: try row.value("user_id"),
            source: try source(row),
            moment: try moment(row),
            notes: VisitNotes(
                kind: try row.raw("kind"),
                title: try row.value("title"),
                memo: try row.value("memo"),
                emoji: try row.value("emoji")
            ),
            weather: try (row.value("weather") as String?).map(StoredJSON.decode),
            audience: try row.raw("audience"),
            version: try row.value("version")
        )
    }

    /// Deletes a visit with its photos, companions and files. Primary keys.
    static func delete(_ id: VisitID, from db: SQLConnection, into erasure: inout Erasure) throws {
        let files = try VisitPhotoRecord.fetchAll(of: id, from: db).map(\.fileID)
        try db.run("DELETE FROM visit WHERE id = ?", [id])
        try FileRecord.delete(files, from: db)
        erasure.files += files
    }

    /// A visit with its photos and companions. Primary keys.
    static func complete(_ bare: Visit, from db: SQLConnection) throws -> Visit {
        var notes = bare.notes
        notes.photos = try VisitPhotoRecord.fetchAll(of: bare.id, from: db)
        return Visit(
            id: bare.id,
            userID: bare.userID,
            source: bare.source,
            moment: bare.moment,
            notes: notes,
            companions: try CompanionRecord.fetchAll(of: bare.id, from: db),
            weather: bare.weather,
            audience: bare.audience,
            version: bare.version
        )
    }

    /// A visit; nil if the id is unknown. Primary key.
    static func fetch(_ id: VisitID, from db: SQLConnection) throws -> Visit? {
        try db.row("SELECT * FROM visit WHERE id = ?", [id]).map { try complete(bare($0), from: db) }
    }

    /// A visit of a user; nil if they have no visit with this id. Primary key.
    static func fetch(_ id: VisitID, of user: UserID, from db: SQLConnection) throws -> Visit? {
        try db.row("SELECT * FROM visit WHERE id = ? AND user_id = ?", [id, user])
            .map { try complete(bare($0), from: db) }
    }

    static func count(of user: UserID, in db: SQLConnection) throws -> Int {
        try db.number("SELECT count(*) FROM visit WHERE user_id = :user", named: ["user": user])
    }

    static func moment(_ row: SQLRow) throws -> VisitMoment {
        VisitMoment(
            place: Place(
                name: try row.value("place_name"),
                address: try row.value("place_address"),
                coordinate: Coordinate(latitude: try row.value("latitude"), longitude: try row.value("longitude")),
                placeID: try row.value("place_id")
            ),
            category: try (row.value("category") as String?).map(CategoryID.init(text:)),
            region: try (row.value("region") as String?).map(RegionCode.init(text:)),
            at: try row.value("at"),
            localDate: CivilDate(daysSince1970: try row.value("local_date")),
            isMarketDay: try row.value("is_market_day")
        )
    }

    private static func source(_ row: SQLRow) throws -> Visit.Source {
        guard let promise: PromiseID = try row.value("promise_id") else { return .hand }
        let arrival = VisitArrival(
            promiseID: promise,
            outcome: try row.raw("outcome"),
            rank: try row.value("rank"),
            isMock: try row.value("is_mock")
        )
        return .arrival(arrival)
    }
}

extension VisitRecord {
    /// Adds a visit without its photos.
    static func insert(_ visit: Visit, into db: SQLConnection) throws {
        let names = columns.joined(separator: ", ")
        let marks = columns.map { ":\($0)" }.joined(separator: ", ")
        try db.run("INSERT INTO visit (\(names)) VALUES (\(marks))", named: values(of: visit))
        try CompanionRecord.replace([], by: visit.companions, of: visit.id, in: db)
    }

    /// Replaces everything of a visit except its photos. Primary key.
    static func update(_ before: Visit, to visit: Visit, in db: SQLConnection) throws {
        let changes = columns.dropFirst().map { "\($0) = :\($0)" }.joined(separator: ", ")
        try db.run("UPDATE visit SET \(changes) WHERE id = :id", named: values(of: visit))
        try CompanionRecord.replace(before.companions, by: visit.companions, of: visit.id, in: db)
    }

    private static let columns = [
        "id", "user_id", "at", "local_date", "is_market_day", "place_id", "latitude", "longitude", "category", "region",
        "promise_id", "outcome", "rank", "audience", "version", "kind", "place_name", "place_address", "weather",
        "emoji", "title", "memo", "is_together", "is_mock",
    ]

    private static func values(of visit: Visit) throws -> [String: (any StoredValue)?] {
        let (moment, notes) = (visit.moment, visit.notes)
        guard let date = moment.localDate.daysSince1970, let countable = CountableVisit(visit) else {
            throw StoreError.broken("A visit without a date")
        }
        return [
            "id": visit.id, "user_id": visit.userID, "at": moment.at, "local_date": date,
            "is_market_day": moment.isMarketDay, "place_id": moment.place.placeID,
            "latitude": moment.place.coordinate.latitude, "longitude": moment.place.coordinate.longitude,
            "category": moment.category?.text, "region": moment.region?.text,
            "promise_id": visit.arrival?.promiseID, "outcome": visit.arrival?.outcome.rawValue,
            "rank": visit.arrival?.rank, "audience": visit.audience.rawValue, "version": visit.version,
            "kind": notes.kind.rawValue, "place_name": moment.place.name, "place_address": moment.place.address,
            "weather": try visit.weather.map { try StoredJSON.encode($0) }, "emoji": notes.emoji, "title": notes.title,
            "memo": notes.memo, "is_together": countable.isTogether, "is_mock": countable.isMock,
        ]
    }
}
