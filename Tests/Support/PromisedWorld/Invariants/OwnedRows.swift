internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces
internal import PromisedStore

/// Something with an audience.
enum Sight: Hashable, Sendable, Comparable {
    case visit(VisitID)
    case course(CourseID)
    case file(FileID)
}

/// The committed rows of users' belongings, and of the directory.
struct OwnedRows: Hashable, Sendable {
    struct VisitRow: Hashable, Sendable {
        let userID: UserID
        var audience: String
        var version = 1
        var companions: [UserID] = []
    }

    struct CourseRow: Hashable, Sendable {
        let userID: UserID
        let source: String
        var promiseID: PromiseID?
        var audience: String
        var version = 1
        /// The number of recorded points.
        var points = 0
        var people: [UserID] = []
    }

    struct RecordingRow: Hashable, Sendable {
        let userID: UserID
        var points: Int
        /// The number of points in its chunks.
        var kept: Int
        var courseID: CourseID?
    }

    struct FileRow: Hashable, Sendable {
        let userID: UserID
        let kind: String
        let bytes: Int64
        var visitID: VisitID?
        var courseID: CourseID?
    }

    struct UploadRow: Hashable, Sendable {
        let userID: UserID
        let bytes: Int64
        let touchedAt: Instant
    }

    struct PlaceRow: Hashable, Sendable {
        let hours: String
        let isRemoved: Bool
        var ref = ""
        var name = ""
    }

    struct ExportRow: Hashable, Sendable {
        let askedAt: Instant
        /// The archive's file; nil until it is ready, and after its deletion.
        let fileID: FileID?
        let isReady: Bool
    }

    var visits: [VisitID: VisitRow] = [:]
    var courses: [CourseID: CourseRow] = [:]
    var recordings: [RecordingID: RecordingRow] = [:]
    var files: [FileID: FileRow] = [:]
    var uploads: [UploadID: UploadRow] = [:]
    var favourites: [FavouriteID: UserID] = [:]
    var places: [PlaceID: PlaceRow] = [:]
    var friends: Set<UserPair> = []
    var exports: [UserID: ExportRow] = [:]

    static let tables: Set<String> = [
        "visit", "companion", "course", "course_person", "recording", "recording_chunk", "file", "upload", "favourite",
        "place", "friendship", "export",
    ]

    /// Reads the tables that have changed.
    mutating func refresh(_ tables: Set<String>, from store: SimulatedStore) throws {
        if !tables.isDisjoint(with: ["visit", "companion"]) { visits = try Self.visits(store) }
        if !tables.isDisjoint(with: ["course", "course_person"]) { courses = try Self.courses(store) }
        if !tables.isDisjoint(with: ["recording", "recording_chunk"]) { recordings = try Self.recordings(store) }
        if tables.contains("file") { files = try Self.files(store) }
        if tables.contains("upload") { uploads = try Self.uploads(store) }
        if tables.contains("favourite") {
            favourites = try Self.rows("SELECT id, user_id FROM favourite", store) { CommittedRows.id($0[1]) }
        }
        if tables.contains("place") {
            places = try Self.rows("SELECT id, hours, removed_at IS NOT NULL, ref, name FROM place", store) { row in
                PlaceRow(hours: row[1], isRemoved: row[2] == "1", ref: row[3], name: row[4])
            }
        }
        // The deletion of an archive clears its id in its row.
        if !tables.isDisjoint(with: ["export", "file"]) {
            let sql = "SELECT user_id, requested_at, file_id, ready_at IS NOT NULL FROM export"
            exports = try Self.rows(sql, store) { row in
                let fileID: FileID? = row[2].isEmpty ? nil : CommittedRows.id(row[2])
                return ExportRow(askedAt: CommittedRows.instant(row[1]), fileID: fileID, isReady: row[3] == "1")
            }
        }
        if tables.contains("friendship") {
            let rows = try store.rows("SELECT first, second FROM friendship WHERE state = 'friends'")
            friends = Set(rows.map { UserPair(CommittedRows.id($0[0]), CommittedRows.id($0[1])) })
        }
    }

    private static func visits(_ store: SimulatedStore) throws -> [VisitID: VisitRow] {
        var visits: [VisitID: VisitRow] = try rows("SELECT id, user_id, audience, version FROM visit", store) { row in
            VisitRow(userID: CommittedRows.id(row[1]), audience: row[2], version: CommittedRows.number(row[3]))
        }
        for row in try store.rows("SELECT visit_id, user_id FROM companion WHERE user_id IS NOT NULL ORDER BY position")
        {
            visits[CommittedRows.id(row[0])]?.companions.append(CommittedRows.id(row[1]))
        }
        return visits
    }

    private static func courses(_ store: SimulatedStore) throws -> [CourseID: CourseRow] {
        let sql = "SELECT id, user_id, source, promise_id, audience, version, points + dropped FROM course"
        var courses: [CourseID: CourseRow] = try rows(sql, store) { row in
            CourseRow(
                userID: CommittedRows.id(row[1]),
                source: row[2],
                promiseID: row[3].isEmpty ? nil : CommittedRows.id(row[3]),
                audience: row[4],
                version: CommittedRows.number(row[5]),
                points: CommittedRows.number(row[6])
            )
        }
        for row in try store.rows("SELECT course_id, user_id FROM course_person ORDER BY position") {
            courses[CommittedRows.id(row[0])]?.people.append(CommittedRows.id(row[1]))
        }
        return courses
    }

    private static func recordings(_ store: SimulatedStore) throws -> [RecordingID: RecordingRow] {
        let sql = """
            SELECT id, user_id, points, course_id,
                (SELECT coalesce(sum(count), 0) FROM recording_chunk WHERE recording_id = recording.id)
            FROM recording
            """
        return try rows(sql, store) { row in
            RecordingRow(
                userID: CommittedRows.id(row[1]),
                points: CommittedRows.number(row[2]),
                kept: CommittedRows.number(row[4]),
                courseID: row[3].isEmpty ? nil : CommittedRows.id(row[3])
            )
        }
    }

    private static func files(_ store: SimulatedStore) throws -> [FileID: FileRow] {
        try rows("SELECT id, user_id, kind, bytes, item_kind, item_id FROM file", store) { row in
            FileRow(
                userID: CommittedRows.id(row[1]),
                kind: row[2],
                bytes: Int64(row[3]) ?? 0,
                visitID: row[4] == "visit" ? CommittedRows.id(row[5]) : nil,
                courseID: row[4] == "course" ? CommittedRows.id(row[5]) : nil
            )
        }
    }

    private static func uploads(_ store: SimulatedStore) throws -> [UploadID: UploadRow] {
        try rows("SELECT id, user_id, bytes, last_chunk_at FROM upload", store) { row in
            UploadRow(
                userID: CommittedRows.id(row[1]),
                bytes: Int64(row[2]) ?? 0,
                touchedAt: CommittedRows.instant(row[3])
            )
        }
    }

    /// The rows of a query by the id in their first column.
    private static func rows<Subject, Value>(
        _ sql: String,
        _ store: SimulatedStore,
        _ value: ([String]) -> Value
    ) throws -> [ID<Subject>: Value] {
        try store.rows(sql).reduce(into: [:]) { $0[CommittedRows.id($1[0])] = value($1) }
    }
}

extension OwnedRows {
    /// `true` if a user may see something now, by its audience, friendships and blocks.
    func isVisible(_ sight: Sight, to viewer: UserID, in committed: CommittedRows) -> Bool {
        switch sight {
        case .visit(let id):
            guard let visit = visits[id] else { return false }
            if visit.userID == viewer { return true }
            let pair = UserPair(visit.userID, viewer)
            guard !committed.blocks.contains(pair) else { return false }
            return visit.audience == "friends" && friends.contains(pair)
                || visit.audience == "companions" && friends.contains(pair) && visit.companions.contains(viewer)
        case .course(let id):
            guard let course = courses[id] else { return false }
            if course.userID == viewer { return true }
            let pair = UserPair(course.userID, viewer)
            guard !committed.blocks.contains(pair) else { return false }
            return course.audience == "friends" && friends.contains(pair)
                || course.audience == "people" && friends.contains(pair) && course.people.contains(viewer)
                || isCarried(id, of: course.userID, to: viewer, in: committed)
        case .file(let id):
            guard let file = files[id] else { return false }
            if file.userID == viewer { return true }
            return file.visitID.map { isVisible(.visit($0), to: viewer, in: committed) } ?? false
                || file.courseID.map { isVisible(.course($0), to: viewer, in: committed) } ?? false
        }
    }

    /// `true` if a promise of the course's user carries it, and the viewer is in.
    private func isCarried(_ id: CourseID, of userID: UserID, to viewer: UserID, in committed: CommittedRows) -> Bool {
        committed.promises.contains { promiseID, promise in
            promise.courseID == id && promise.ownerID == userID
                && ["invited", "accepted"].contains(committed.parts[promiseID]?[viewer]?.membership)
        }
    }
}
