internal import PromisedDomain
internal import PromisedJournal

/// The rows of `waypoint`: the way-points that the user named.
enum WaypointRecord {
    /// The named way-points of a course in the order of the way. Primary key.
    static func fetchAll(of course: CourseID, from db: SQLConnection) throws -> [NamedWaypoint] {
        try db.rows("SELECT * FROM waypoint WHERE course_id = ? ORDER BY position", [course]).map(waypoint)
    }

    static func waypoint(_ row: SQLRow) throws -> NamedWaypoint {
        let name: String = try row.value("name")
        let coordinate = Coordinate(latitude: try row.value("latitude"), longitude: try row.value("longitude"))
        let waypoint = CourseWaypoint(
            name: name,
            place: Place(name: name, coordinate: coordinate),
            kind: try row.raw("kind"),
            atMetres: try row.value("at_metres")
        )
        return NamedWaypoint(waypoint, othersAtMetres: try row.value("others_at_metres"))
    }

    /// Replaces the named way-points of a course. Primary key.
    static func replace(by waypoints: [NamedWaypoint], of course: CourseID, in db: SQLConnection) throws {
        try db.run("DELETE FROM waypoint WHERE course_id = ?", [course])
        for (index, named) in waypoints.enumerated() {
            let (waypoint, coordinate) = (named.waypoint, named.waypoint.place.coordinate)
            try db.run(
                """
                INSERT INTO waypoint (
                    course_id, position, latitude, longitude, kind, at_metres, others_at_metres, name
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    course, index + 1, coordinate.latitude, coordinate.longitude, waypoint.kind.rawValue,
                    waypoint.atMetres, named.othersAtMetres, waypoint.name,
                ]
            )
        }
    }
}

/// The rows of `course_photo`.
enum CoursePhotoRecord {
    /// The photos of a course in their order. Primary key.
    static func fetchAll(of course: CourseID, from db: SQLConnection) throws -> [Photo] {
        try db.rows("SELECT file_id, caption FROM course_photo WHERE course_id = ? ORDER BY position", [course]).map {
            Photo(fileID: try $0.value("file_id"), caption: try $0.value("caption"))
        }
    }

    /// Replaces the photos of a course of a user; new photos get their files, and the files of removed photos are
    /// deleted. Primary keys.
    ///
    /// - Returns: the deleted files.
    /// - Throws: `fileNotFound` for a file that is not an unused photo of the user.
    static func replace(
        _ old: [Photo],
        by photos: [Photo],
        of course: CourseID,
        _ user: UserID,
        at now: Instant,
        in db: SQLConnection
    ) throws -> [FileID] {
        guard photos != old else { return [] }
        let (before, after) = (Set(old.map(\.fileID)), Set(photos.map(\.fileID)))
        try FileRecord.attach(after.subtracting(before), to: .course(course), of: user, at: now, in: db)
        try db.run("DELETE FROM course_photo WHERE course_id = ?", [course])
        for (index, photo) in photos.enumerated() {
            try db.run(
                "INSERT INTO course_photo (course_id, position, file_id, caption) VALUES (?, ?, ?, ?)",
                [course, index + 1, photo.fileID, photo.caption]
            )
        }
        let removed = old.map(\.fileID).filter { !after.contains($0) }
        try FileRecord.delete(removed, from: db)
        return removed
    }
}

/// The rows of `course_person`: the users that an audience of people names.
enum CoursePersonRecord {
    /// The users in the order in which they were chosen. Primary key; at most ``CourseLimits/people`` rows are sorted.
    static func fetchAll(of course: CourseID, from db: SQLConnection) throws -> [UserID] {
        try db.rows("SELECT user_id FROM course_person WHERE course_id = ? ORDER BY position", [course])
            .map { try $0.value("user_id") }
    }

    /// Replaces the users. Primary key.
    static func replace(by people: [UserID], of course: CourseID, in db: SQLConnection) throws {
        try db.run("DELETE FROM course_person WHERE course_id = ?", [course])
        for (index, user) in people.enumerated() {
            try db.run(
                "INSERT INTO course_person (course_id, user_id, position) VALUES (?, ?, ?)",
                [course, user, index + 1]
            )
        }
    }
}
