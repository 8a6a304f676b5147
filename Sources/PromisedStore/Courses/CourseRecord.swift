internal import Foundation
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces

/// The rows of `course` with their rows of `waypoint`, `course_photo` and `course_person`.
enum CourseRecord {
    /// The course of a row with all columns, without named way-points, photos and people: ``complete(_:from:)`` adds
    /// them.
    static func bare(_ row: SQLRow) throws -> Course {
        Course(
            id: try row.value("id"),
            home: try home(row),
            source: try row.raw("source"),
            promiseID: try row.value("promise_id"),
            notes: CourseNotes(
                title: try row.value("title"),
                memo: try row.value("memo"),
                activity: try row.raw("activity")
            ),
            way: try way(row),
            sharing: CourseSharing(audience: try row.raw("audience"), hideMetres: try row.value("hide_metres")),
            attribution: try attribution(row),
            version: try row.value("version"),
            changedAt: try row.value("changed_at")
        )
    }

    private static func home(_ row: SQLRow) throws -> Course.Home? {
        guard let user: UserID = try row.value("user_id") else { return nil }
        return Course.Home(userID: user, folderID: try row.value("folder_id"))
    }

    private static func attribution(_ row: SQLRow) throws -> CourseAttribution? {
        guard let source: String = try row.value("attribution_source") else { return nil }
        return CourseAttribution(
            source: source,
            licence: try row.value("attribution_licence"),
            region: try (row.value("region") as String?).map(RegionCode.init(text:))
        )
    }

    private static func way(_ row: SQLRow) throws -> CourseWay {
        CourseWay(
            cleanedAt: try row.value("cleaned_at"),
            startedAt: try row.value("started_at"),
            statistics: try statistics(row),
            shape: try shape(row, prefix: "", stops: CourseShapeCoding.stops([UInt8](row.value("stops") as Data))),
            hidden: try shape(row, prefix: "others_", stops: []),
            hiddenStatistics: try CourseShapeCoding.statistics([UInt8](row.value("others_statistics") as Data))
        )
    }

    private static func shape(_ row: SQLRow, prefix: String, stops: [CourseStop]) throws -> CourseShape {
        let outlines: String = try row.value(prefix + "outlines")
        return CourseShape(
            outlines: outlines.split(separator: "\n").map(String.init),
            box: try box(row, prefix: prefix),
            waypoints: try CourseShapeCoding.waypoints([UInt8](row.value(prefix + "waypoints") as Data)),
            stops: stops
        )
    }

    static func box(_ row: SQLRow, prefix: String) throws -> Box? {
        guard let south: Double = try row.value(prefix + "south") else { return nil }
        return Box(
            south: south,
            west: try row.value(prefix + "west"),
            north: try row.value(prefix + "north"),
            east: try row.value(prefix + "east")
        )
    }

    private static func statistics(_ row: SQLRow) throws -> CourseStatistics {
        var statistics = CourseStatistics()
        statistics.points = try row.value("points")
        statistics.dropped = try row.value("dropped")
        statistics.counted = try row.value("counted")
        statistics.distanceMetres = try row.value("distance_metres")
        statistics.duration = try row.value("duration_ms")
        statistics.moving = try row.value("moving_ms")
        statistics.topSpeedMps = try row.value("top_speed_mps")
        statistics.ascentMetres = try row.value("ascent_metres")
        statistics.descentMetres = try row.value("descent_metres")
        statistics.minAltitudeMetres = try row.value("min_altitude_metres")
        statistics.maxAltitudeMetres = try row.value("max_altitude_metres")
        return statistics
    }
}

extension CourseRecord {
    static func complete(_ bare: Course, from db: SQLConnection) throws -> Course {
        var (notes, sharing, way) = (bare.notes, bare.sharing, bare.way)
        notes.photos = try CoursePhotoRecord.fetchAll(of: bare.id, from: db)
        if sharing.audience == .people { sharing.people = try CoursePersonRecord.fetchAll(of: bare.id, from: db) }
        way = try withPresentPlaces(way, in: db)
        return Course(
            id: bare.id,
            home: bare.home,
            source: bare.source,
            promiseID: bare.promiseID,
            notes: notes,
            way: way,
            named: try WaypointRecord.fetchAll(of: bare.id, from: db),
            sharing: sharing,
            attribution: bare.attribution,
            version: bare.version,
            changedAt: bare.changedAt
        )
    }

    /// The way, with only those stops' place ids that still exist in the directory: a course does not prevent the
    /// deletion of a place.
    private static func withPresentPlaces(_ way: CourseWay, in db: SQLConnection) throws -> CourseWay {
        guard way.shape.stops.contains(where: { $0.place.placeID != nil }) else { return way }
        var shape = way.shape
        for (index, stop) in shape.stops.enumerated() {
            guard let id = stop.place.placeID, try !PlaceRecord.isPresent(id, in: db) else { continue }
            shape.stops[index].place.placeID = nil
        }
        return CourseWay(
            cleanedAt: way.cleanedAt,
            startedAt: way.startedAt,
            statistics: way.statistics,
            shape: shape,
            hidden: way.hidden,
            hiddenStatistics: way.hiddenStatistics
        )
    }

    /// A course; nil if the id is unknown. Primary key.
    static func fetch(_ id: CourseID, from db: SQLConnection) throws -> Course? {
        try db.row("SELECT * FROM course WHERE id = ?", [id]).map { try complete(bare($0), from: db) }
    }

    /// A course of a user; nil if they have no course with this id. Primary key.
    static func fetch(_ id: CourseID, of user: UserID, from db: SQLConnection) throws -> Course? {
        try db.row("SELECT * FROM course WHERE id = ? AND user_id = ? AND \(CourseQuery.isKept)", [id, user])
            .map { try complete(bare($0), from: db) }
    }

    /// `true` if a course in a folder, other than `id`, has the title with this key. Index `course_by_title`.
    static func isTaken(
        _ key: String,
        in folder: FolderID,
        except id: CourseID? = nil,
        of db: SQLConnection
    ) throws -> Bool {
        guard let row = try db.row(CourseQuery.byTitle, [folder, key]) else { return false }
        return try row.value("id") != id
    }

    /// How many courses and points a user has in total. Index `course_by_change`.
    static func room(of user: UserID, in db: SQLConnection) throws -> (courses: Int, points: Int) {
        guard let row = try db.row(CourseQuery.room, [user]) else { return (0, 0) }
        return (try row.value("courses"), try row.value("points"))
    }
}
