internal import Foundation
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces

extension CourseRecord {
    /// Adds a course with its points but without its photos.
    static func insert(_ course: Course, _ chunks: [TrackChunk], into db: SQLConnection) throws {
        let names = columns.joined(separator: ", ")
        let marks = columns.map { ":\($0)" }.joined(separator: ", ")
        try db.run("INSERT INTO course (\(names)) VALUES (\(marks))", named: values(of: course))
        try WaypointRecord.replace(by: course.named, of: course.id, in: db)
        for (segment, chunk) in chunks.enumerated() {
            try db.run(
                "INSERT INTO course_track (course_id, segment, count, points) VALUES (?, ?, ?, ?)",
                [course.id, segment, chunk.count, Data(chunk.bytes)]
            )
        }
    }

    /// Replaces everything of a course except points and photos. Primary keys.
    static func update(_ before: Course, to course: Course, in db: SQLConnection) throws {
        let changes = columns.dropFirst().map { "\($0) = :\($0)" }.joined(separator: ", ")
        try db.run("UPDATE course SET \(changes) WHERE id = :id", named: values(of: course))
        if course.sharing.hideMetres != before.sharing.hideMetres {
            try ShownWayRecord.forgetOthers(of: course.id, in: db)
        }
        if course.named != before.named { try WaypointRecord.replace(by: course.named, of: course.id, in: db) }
        if course.sharing.people != before.sharing.people {
            try CoursePersonRecord.replace(by: course.sharing.people, of: course.id, in: db)
        }
    }

    /// Deletes a course with its points, photos and recording; promises that carried it no longer have a course.
    /// Primary keys, indexes `promise_by_course`, `recording_by_course`.
    ///
    /// Deletes the points first, like ``RecordingRecord/delete(_:from:)``.
    static func delete(_ id: CourseID, from db: SQLConnection, into erasure: inout Erasure) throws {
        let files = try CoursePhotoRecord.fetchAll(of: id, from: db).map(\.fileID)
        for row in try db.rows("SELECT id FROM promise WHERE course_id = ?", [id]) {
            erasure.promises[try row.value("id")] = id
        }
        try db.run("DELETE FROM course_track WHERE course_id = ?", [id])
        try db.run("DELETE FROM shown_piece WHERE course_id = ?", [id])
        try db.run("DELETE FROM course WHERE id = ?", [id])
        try FileRecord.delete(files, from: db)
        erasure.files += files
    }

    /// Deletes the course of a row with its id and number of points, as part of a larger deletion.
    static func delete(
        _ row: SQLRow,
        in room: inout ErasureRoom,
        from db: SQLConnection,
        into erasure: inout Erasure
    ) throws {
        try delete(try row.value("id"), from: db, into: &erasure)
        room.take(points: try row.value("points"))
    }

    /// The points of a course for a viewer; nil if the course does not exist. Primary keys.
    static func track(of id: CourseID, seenBy viewer: UserID?, from db: SQLConnection) throws -> CourseTrack? {
        let row = try db.row("SELECT user_id, cleaned_at, hide_metres, version FROM course WHERE id = ?", [id])
        guard let row else { return nil }
        let user: UserID? = try row.value("user_id")
        return CourseTrack(
            raw: try track(of: id, from: db),
            cleanedAt: try row.value("cleaned_at"),
            hideMetres: try row.value("hide_metres"),
            secret: try EndsSecretRecord.fetch(of: user, from: db),
            isOwn: user != nil && user == viewer,
            version: try row.value("version")
        )
    }

    /// All points of a course as recorded. Primary key.
    static func track(of id: CourseID, from db: SQLConnection) throws -> Track {
        var points: [TrackPoint] = []
        let rows = try db.cursor(CourseQuery.track, [id])
        while let row = try rows.next() { points += try chunk(row).points(of: row.value("segment")) }
        return Track(points)
    }

    static func chunk(_ row: SQLRow) throws -> TrackChunk {
        TrackChunk(bytes: [UInt8](try row.value("points") as Data), count: try row.value("count"))
    }

    private static let columns = [
        "id", "user_id", "folder_id", "audience", "changed_at", "south", "west", "north", "east", "others_south",
        "others_west", "others_north", "others_east", "version", "source", "activity", "hide_metres", "promise_id",
        "cleaned_at", "started_at", "points", "dropped", "counted", "distance_metres", "duration_ms", "moving_ms",
        "top_speed_mps", "ascent_metres", "descent_metres", "min_altitude_metres", "max_altitude_metres",
        "attribution_source", "attribution_licence", "region", "title_key", "title", "outlines", "waypoints", "stops",
        "others_outlines", "others_waypoints", "others_statistics", "memo",
    ]

    private static func values(of course: Course) throws -> [String: (any StoredValue)?] {
        let (shape, hidden, statistics) = (course.way.shape, course.way.hidden, course.way.statistics)
        guard let box = shape.box else { throw StoreError.broken("A course without points") }
        return [
            "id": course.id, "user_id": course.userID, "folder_id": course.home?.folderID,
            "audience": course.sharing.audience.rawValue, "changed_at": course.changedAt, "south": box.south,
            "west": box.west, "north": box.north, "east": box.east, "others_south": hidden.box?.south,
            "others_west": hidden.box?.west, "others_north": hidden.box?.north, "others_east": hidden.box?.east,
            "version": course.version, "source": course.source.rawValue,
            "activity": course.notes.activity.rawValue, "hide_metres": course.sharing.hideMetres,
            "promise_id": course.promiseID, "cleaned_at": course.way.cleanedAt,
            "started_at": course.way.startedAt, "points": statistics.points, "dropped": statistics.dropped,
            "counted": statistics.counted, "distance_metres": statistics.distanceMetres,
            "duration_ms": statistics.duration, "moving_ms": statistics.moving,
            "top_speed_mps": statistics.topSpeedMps, "ascent_metres": statistics.ascentMetres,
            "descent_metres": statistics.descentMetres, "min_altitude_metres": statistics.minAltitudeMetres,
            "max_altitude_metres": statistics.maxAltitudeMetres, "attribution_source": course.attribution?.source,
            "attribution_licence": course.attribution?.licence, "region": course.attribution?.region?.text,
            "title_key": CourseTitle.key(of: course.notes.title), "title": course.notes.title,
            "outlines": shape.outlines.joined(separator: "\n"),
            "waypoints": Data(CourseShapeCoding.encode(shape.waypoints)),
            "stops": Data(CourseShapeCoding.encode(shape.stops)),
            "others_outlines": hidden.outlines.joined(separator: "\n"),
            "others_waypoints": Data(CourseShapeCoding.encode(hidden.waypoints)),
            "others_statistics": Data(CourseShapeCoding.encode(course.way.hiddenStatistics)), "memo": course.notes.memo,
        ]
    }
}
