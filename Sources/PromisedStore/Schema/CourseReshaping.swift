internal import Foundation
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces

/// Recomputes the stored data of courses that is derived from their points, for migrations that change a rule in
/// ``CleanTrack``, ``CourseStatistics`` or ``HiddenEnds``.
struct CourseReshaping {
    /// The number of courses read at a time; points are read one course at a time.
    private static let page = 100

    private let old: SQLRow
    private let id: CourseID
    private let clean: CleanTrack
    private let isRecommended: Bool
    private let hidden: HiddenEnds
    private let names: KeptNames

    /// Deletes all stored ways, updates each course whose numbers or outlines changed, and recomputes what others see
    /// of each. Keeps the names of way-points and stops, because the directory of places is not open yet. A course that
    /// has fewer than two counted points under the rule keeps its numbers, and others see nothing of it.
    static func run(in db: SQLConnection) throws {
        try EndsSecretRecord.make(in: db)
        if try db.number("SELECT count(*) FROM pragma_table_info('course') WHERE name = 'others_statistics'") == 0 {
            try db.run("ALTER TABLE course ADD COLUMN others_statistics BLOB NOT NULL DEFAULT x''")
        }
        try db.run("DELETE FROM shown_piece")
        try db.run("DELETE FROM shown_way")
        var last: CourseID?
        while true {
            let rows = try db.rows(
                """
                SELECT id, user_id, hide_metres, cleaned_at, started_at, points, dropped, counted, distance_metres,
                    duration_ms, moving_ms, top_speed_mps, ascent_metres, descent_metres, min_altitude_metres,
                    max_altitude_metres, outlines, waypoints, stops, others_outlines, others_waypoints
                FROM course WHERE ? IS NULL OR id > ? ORDER BY id LIMIT ?
                """,
                [last, last, page]
            )
            for row in rows {
                let reshaping = try CourseReshaping(row, from: db)
                try reshaping.write(to: db)
                last = reshaping.id
            }
            if rows.count < page { return }
        }
    }

    private init(_ row: SQLRow, from db: SQLConnection) throws {
        old = row
        id = try row.value("id")
        let raw = try CourseReshaping.track(of: id, from: db)
        clean = CleanTrack(raw, at: try row.value("cleaned_at"))
        let user: UserID? = try row.value("user_id")
        isRecommended = user == nil
        hidden = HiddenEnds(
            of: clean.track,
            metres: isRecommended ? 0 : try row.value("hide_metres"),
            secret: try EndsSecretRecord.fetch(of: user, from: db)
        )
        names = KeptNames(
            try CourseShapeCoding.waypoints([UInt8](row.value("waypoints") as Data))
                + CourseShapeCoding.waypoints([UInt8](row.value("others_waypoints") as Data)),
            try CourseShapeCoding.stops([UInt8](row.value("stops") as Data)),
            on: raw
        )
    }

    private func write(to db: SQLConnection) throws {
        let statistics = CourseStatistics(of: clean)
        let hasWay = statistics.counted >= RecordingMachine.fewestPoints
        let shape = hasWay ? CourseShape(CourseDetails(own: clean.track, names: names)) : nil
        var (others, seen) = (CourseShape(), CourseStatistics())
        if hasWay {
            others = CourseShape(CourseDetails(shared: clean.track, hidden: hidden, names: names))
            seen = isRecommended ? statistics : CourseStatistics(of: hidden.left(of: clean.track))
        }
        let isOwnChanged = try shape.map { try isChanged(statistics, $0) } ?? true
        if let shape, isOwnChanged { try write(statistics, shape, to: db) }
        try db.run(
            """
            UPDATE course SET others_south = ?, others_west = ?, others_north = ?, others_east = ?, others_outlines = ?,
                others_waypoints = ?, others_statistics = ? WHERE id = ?
            """,
            [
                others.box?.south, others.box?.west, others.box?.north, others.box?.east,
                others.outlines.joined(separator: "\n"), Data(CourseShapeCoding.encode(others.waypoints)),
                Data(CourseShapeCoding.encode(seen)), id,
            ]
        )
        try place(isSeen: hasWay, in: db)
    }

    /// Recomputes where the named way-points are on the way, and whether others see them.
    private func place(isSeen: Bool, in db: SQLConnection) throws {
        let rows = try db.rows("SELECT * FROM waypoint WHERE course_id = ? ORDER BY position", [id])
        let named = try rows.map { row in
            let name: String = try row.value("name")
            let coordinate = Coordinate(latitude: try row.value("latitude"), longitude: try row.value("longitude"))
            return CourseWaypoint(
                name: name,
                place: Place(name: name, coordinate: coordinate),
                kind: try row.raw("kind"),
                atMetres: try row.value("at_metres")
            )
        }
        guard !named.isEmpty else { return }
        let placed = NamedWaypoint.placed(named, on: clean.track, hidden: hidden)
        try db.run("DELETE FROM waypoint WHERE course_id = ?", [id])
        for (index, one) in placed.enumerated() {
            let (waypoint, coordinate) = (one.waypoint, one.waypoint.place.coordinate)
            try db.run(
                """
                INSERT INTO waypoint (
                    course_id, position, latitude, longitude, kind, at_metres, others_at_metres, name
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    id, index + 1, coordinate.latitude, coordinate.longitude, waypoint.kind.rawValue, waypoint.atMetres,
                    isSeen ? one.othersAtMetres : nil, waypoint.name,
                ]
            )
        }
    }

    private static func track(of id: CourseID, from db: SQLConnection) throws -> Track {
        let rows = try db.rows(
            "SELECT segment, count, points FROM course_track WHERE course_id = ? ORDER BY segment",
            [id]
        )
        var points: [TrackPoint] = []
        for row in rows {
            let chunk = TrackChunk(bytes: [UInt8](try row.value("points") as Data), count: try row.value("count"))
            points += try chunk.points(of: row.value("segment"))
        }
        return Track(points)
    }

    private func isChanged(_ statistics: CourseStatistics, _ shape: CourseShape) throws -> Bool {
        try statistics != storedStatistics || shape.outlines.joined(separator: "\n") != old.value("outlines")
    }

    private var storedStatistics: CourseStatistics {
        get throws {
            var statistics = CourseStatistics()
            statistics.points = try old.value("points")
            statistics.dropped = try old.value("dropped")
            statistics.counted = try old.value("counted")
            statistics.distanceMetres = try old.value("distance_metres")
            statistics.duration = try old.value("duration_ms")
            statistics.moving = try old.value("moving_ms")
            statistics.topSpeedMps = try old.value("top_speed_mps")
            statistics.ascentMetres = try old.value("ascent_metres")
            statistics.descentMetres = try old.value("descent_metres")
            statistics.minAltitudeMetres = try old.value("min_altitude_metres")
            statistics.maxAltitudeMetres = try old.value("max_altitude_metres")
            return statistics
        }
    }

    private func write(_ statistics: CourseStatistics, _ shape: CourseShape, to db: SQLConnection) throws {
        guard let box = shape.box else { return }
        try db.run(
            """
            UPDATE course SET south = ?, west = ?, north = ?, east = ?, started_at = ?, points = ?, dropped = ?,
                counted = ?, distance_metres = ?, duration_ms = ?, moving_ms = ?, top_speed_mps = ?, ascent_metres = ?,
                descent_metres = ?, min_altitude_metres = ?, max_altitude_metres = ?, outlines = ?, waypoints = ?,
                stops = ? WHERE id = ?
            """,
            [
                box.south, box.west, box.north, box.east, clean.track.startedAt, statistics.points, statistics.dropped,
                statistics.counted, statistics.distanceMetres, statistics.duration, statistics.moving,
                statistics.topSpeedMps, statistics.ascentMetres, statistics.descentMetres, statistics.minAltitudeMetres,
                statistics.maxAltitudeMetres, shape.outlines.joined(separator: "\n"),
                Data(CourseShapeCoding.encode(shape.waypoints)), Data(CourseShapeCoding.encode(shape.stops)), id,
            ]
        )
    }
}

/// The names in a course, for points near those that had them.
private struct KeptNames: CoursePlaces {
    /// By coordinates: a point that gave a place its coordinates gets that place back.
    private var exact: [Coordinate: Place] = [:]
    /// Places of the directory.
    private var known: [Place] = []
    /// Points of the way itself, named after the region.
    private var regional: [Place] = []

    init(_ waypoints: [CourseWaypoint], _ stops: [CourseStop], on track: Track) {
        let own = Set(track.points.map(\.coordinate))
        for place in waypoints.map(\.place) + stops.map(\.place) where !place.name.isEmpty {
            exact[place.coordinate] = place
            if place.placeID == nil, own.contains(place.coordinate) {
                regional.append(place)
            } else {
                known.append(place)
            }
        }
    }

    func places(within metres: Double, of coordinate: Coordinate) -> [Place] {
        if let place = exact[coordinate] { return [place] }
        return known.map { ($0, $0.coordinate.distanceMetres(to: coordinate)) }
            .filter { $0.1 <= metres }
            .sorted { $0.1 < $1.1 }
            .map(\.0)
    }

    func regionName(at coordinate: Coordinate) -> String? {
        regional.min {
            $0.coordinate.distanceMetres(to: coordinate) < $1.coordinate.distanceMetres(to: coordinate)
        }?.name
    }
}
