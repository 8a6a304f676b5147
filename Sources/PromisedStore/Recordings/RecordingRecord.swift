internal import Foundation
internal import PromisedDomain
internal import PromisedJournal

/// The rows of `recording` and `recording_chunk`.
enum RecordingRecord {
    static func recording(_ row: SQLRow) throws -> Recording {
        var recording = Recording(
            id: try row.value("id"),
            activity: try row.raw("activity"),
            title: try row.value("title"),
            startedAt: try row.value("started_at")
        )
        recording.state = try row.raw("state")
        recording.lastTakenAt = try row.value("last_taken_at")
        recording.lastPointAt = try row.value("last_point_at")
        recording.points = try row.value("points")
        recording.distanceMetres = try row.value("distance_metres")
        recording.courseID = try row.value("course_id")
        recording.devices = try RecordingDevices.decode([UInt8](row.value("devices") as Data))
        return recording
    }

    /// A recording of a user; nil if they have no recording with this id. Primary key.
    static func fetch(_ id: RecordingID, of user: UserID, from db: SQLConnection) throws -> Recording? {
        try db.row("SELECT * FROM recording WHERE id = ? AND user_id = ?", [id, user]).map(recording)
    }

    /// Adds a recording or replaces all fields of the stored one. Primary key.
    static func save(_ machine: RecordingMachine, of user: UserID, in db: SQLConnection) throws {
        let recording = machine.recording
        let devices = RecordingDevices.encode(recording.devices, isFinished: recording.state == .finished)
        try db.run(
            """
            INSERT INTO recording (
                id, user_id, state, activity, title, started_at, last_taken_at, last_point_at, wakes_at, points,
                distance_metres, course_id, devices
            ) VALUES (
                :id, :user, :state, :activity, :title, :startedAt, :lastTakenAt, :lastPointAt, :wakesAt, :points,
                :distance, :course, :devices
            ) ON CONFLICT (id) DO UPDATE SET
                state = excluded.state, last_taken_at = excluded.last_taken_at,
                last_point_at = excluded.last_point_at, wakes_at = excluded.wakes_at, points = excluded.points,
                distance_metres = excluded.distance_metres, course_id = excluded.course_id,
                devices = excluded.devices
            """,
            named: [
                "id": recording.id, "user": user, "state": recording.state.rawValue,
                "activity": recording.activity.rawValue, "title": recording.title, "startedAt": recording.startedAt,
                "lastTakenAt": recording.lastTakenAt, "lastPointAt": recording.lastPointAt,
                "wakesAt": machine.nextWake, "points": recording.points, "distance": recording.distanceMetres,
                "course": recording.courseID, "devices": Data(devices),
            ]
        )
    }

    /// The most points in a row, unless a single batch has more.
    private static let chunkRoom = 200

    /// Adds the points of a batch: appends each device's points to its last row if there is room, else adds a row. On
    /// average rows have at least a hundred points, whatever the size of the batches. Index
    /// `recording_chunk_by_recording`.
    static func keep(_ points: [KeptPoint], of id: RecordingID, in db: SQLConnection) throws {
        for (device, points) in Dictionary(grouping: points, by: \.deviceID) {
            if let (row, earlier) = try lastChunk(of: id, from: device, in: db),
                earlier.count + points.count <= chunkRoom
            {
                let chunk = RecordingChunk(encoding: try earlier.points() + points, of: device)
                try db.run(
                    "UPDATE recording_chunk SET count = ?, points = ? WHERE id = ?",
                    [chunk.count, Data(chunk.bytes), row]
                )
            } else {
                let chunk = RecordingChunk(encoding: points, of: device)
                try db.run(
                    "INSERT INTO recording_chunk (recording_id, count, points) VALUES (?, ?, ?)",
                    [id, chunk.count, Data(chunk.bytes)]
                )
            }
        }
    }

    /// The device's last row if it is among the recording's last rows, whose number is the device limit of a recording;
    /// otherwise nil.
    private static func lastChunk(
        of id: RecordingID,
        from device: String,
        in db: SQLConnection
    ) throws -> (row: Int, chunk: RecordingChunk)? {
        let rows = try db.cursor(RecordingQuery.lastChunks, [id, Recording.mostDevices])
        while let row = try rows.next() {
            let chunk = try chunk(row)
            if try chunk.isOf(device) { return (try row.value("id"), chunk) }
        }
        return nil
    }

    /// All points of a recording, in order of writing. Index `recording_chunk_by_recording`.
    static func points(of id: RecordingID, from db: SQLConnection) throws -> [KeptPoint] {
        var points: [KeptPoint] = []
        let rows = try db.cursor(RecordingQuery.chunks, [id])
        while let row = try rows.next() { points += try chunk(row).points() }
        return points
    }

    static func chunk(_ row: SQLRow) throws -> RecordingChunk {
        RecordingChunk(bytes: [UInt8](try row.value("points") as Data), count: try row.value("count"))
    }

    /// Deletes the points of a recording. Index `recording_chunk_by_recording`.
    static func deletePoints(of id: RecordingID, from db: SQLConnection) throws {
        try db.run("DELETE FROM recording_chunk WHERE recording_id = ?", [id])
    }

    /// Deletes a recording with its points. Primary key, index `recording_chunk_by_recording`.
    ///
    /// Deletes the points first: SQLite keeps the pages overwritten by a cascading statement in memory, and those of
    /// other statements on disk.
    static func delete(_ id: RecordingID, from db: SQLConnection) throws {
        try deletePoints(of: id, from: db)
        try db.run("DELETE FROM recording WHERE id = ?", [id])
    }
}

enum RecordingQuery {
    /// A user's open recordings, newest first.
    static let open = """
        SELECT * FROM recording INDEXED BY recording_open WHERE user_id = ? AND wakes_at IS NOT NULL
        ORDER BY started_at DESC, id DESC
        """

    /// How many open recordings a user has.
    static let openCount = """
        SELECT count(*) FROM recording INDEXED BY recording_open WHERE user_id = :user AND wakes_at IS NOT NULL
        """

    static let chunks = "SELECT count, points FROM recording_chunk WHERE recording_id = ? ORDER BY id"

    static let lastChunks = """
        SELECT id, count, points FROM recording_chunk WHERE recording_id = ? ORDER BY id DESC LIMIT ?
        """

    /// The recordings whose state changes with time, earliest first.
    static let due = """
        SELECT id, user_id FROM recording INDEXED BY recording_by_wake WHERE wakes_at <= ?
        ORDER BY wakes_at, id LIMIT ?
        """

    /// When the next recording's state changes with time.
    static let nextWake = """
        SELECT wakes_at FROM recording INDEXED BY recording_by_wake WHERE wakes_at IS NOT NULL
        ORDER BY wakes_at LIMIT 1
        """
}
