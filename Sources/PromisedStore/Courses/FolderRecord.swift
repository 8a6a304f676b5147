internal import PromisedDomain
internal import PromisedJournal

enum FolderRecord {
    static func folder(_ row: SQLRow) throws -> Folder {
        Folder(
            id: try row.value("id"),
            userID: try row.value("user_id"),
            title: try row.value("title"),
            emoji: try row.value("emoji"),
            version: try row.value("version"),
            changedAt: try row.value("changed_at")
        )
    }

    /// A folder of a user; nil if they have no folder with this id. Primary key.
    static func fetch(_ id: FolderID, of user: UserID, from db: SQLConnection) throws -> Folder? {
        try db.row("SELECT * FROM folder WHERE id = ? AND user_id = ? AND \(isKept)", [id, user]).map(folder)
    }

    /// The titles of a user's folders, except one. Index `folder_by_title`.
    static func titles(of user: UserID, except id: FolderID? = nil, from db: SQLConnection) throws -> [String] {
        try db.rows("SELECT id, title FROM folder WHERE user_id = ? AND \(isKept)", [user]).compactMap { row in
            try row.value("id") == id ? nil : try row.value("title")
        }
    }

    static func insert(_ folder: Folder, into db: SQLConnection) throws {
        try db.run(
            "INSERT INTO folder (id, user_id, version, changed_at, title, title_key, emoji) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                folder.id, folder.userID, folder.version, folder.changedAt, folder.title,
                FolderTitles.key(of: folder.title), folder.emoji,
            ]
        )
    }

    /// Replaces all fields of a folder. Primary key.
    static func update(_ folder: Folder, in db: SQLConnection) throws {
        try db.run(
            "UPDATE folder SET version = ?, changed_at = ?, title = ?, title_key = ?, emoji = ? WHERE id = ?",
            [
                folder.version, folder.changedAt, folder.title, FolderTitles.key(of: folder.title), folder.emoji,
                folder.id,
            ]
        )
    }

    /// Frees the title of a folder that is being erased. Primary key.
    static func hide(_ id: FolderID, in db: SQLConnection) throws {
        try db.run("UPDATE folder SET title = hex(id), title_key = hex(id), emoji = '' WHERE id = ?", [id])
    }

    /// Deletes the first courses of a folder, and the folder with the last of them. Primary keys, index `course_by_folder`.
    static func erase(_ id: FolderID, atMost most: Int = ErasureRoom.most, in db: SQLConnection) throws -> Erasure {
        var (erasure, room) = (Erasure(), ErasureRoom(in: db, atMost: most))
        try room.delete(FolderQuery.firstCourses, of: id) { course, room in
            try CourseRecord.delete(course, in: &room, from: db, into: &erasure)
        }
        erasure.isComplete = !room.isUsedUp
        if erasure.isComplete { try db.run("DELETE FROM folder WHERE id = ?", [id]) }
        return erasure
    }

    /// `true` for a folder that is not being erased.
    fileprivate static let isKept = ErasingRecord.isKept("folder.id")

    /// Stores when a course of the folder was changed. Primary key.
    static func touch(_ id: FolderID, at now: Instant, in db: SQLConnection) throws {
        try db.run("UPDATE folder SET changed_at = max(changed_at, ?) WHERE id = ?", [now, id])
    }

    /// The folder for a new course: the requested one, else the last changed one, else a new one without a title.
    /// Primary key, index `folder_by_change`.
    ///
    /// - Throws: `folderNotFound` if the user does not have the requested folder.
    static func home(
        _ choice: FolderChoice,
        of user: UserID,
        at now: Instant,
        in db: SQLConnection
    ) throws -> FolderID {
        if let id = choice.folderID {
            guard try fetch(id, of: user, from: db) != nil else { throw Refusal.folderNotFound }
            return id
        }
        if let row = try db.row(FolderQuery.lastChanged, [user]) { return try row.value("id") }
        let folder = try Folder(
            id: choice.newID,
            of: user,
            title: nil,
            language: choice.language,
            among: [],
            at: now
        )
        try insert(folder, into: db)
        return folder.id
    }
}

enum FolderQuery {
    /// A user's folders with their contents, last changed first. Indexes `folder_by_change`, `course_by_folder`.
    static let list = "\(overview) WHERE user_id = ? AND \(FolderRecord.isKept) ORDER BY changed_at DESC, id DESC"

    /// One folder with its contents. Primary key, index `course_by_folder`.
    static let single = "\(overview) WHERE id = ?"

    /// The first courses of a folder with their numbers of points.
    static let firstCourses = """
        SELECT id, points + dropped AS points FROM course WHERE folder_id = ? ORDER BY changed_at, id LIMIT ?
        """

    static let lastChanged = """
        SELECT id FROM folder WHERE user_id = ? AND \(FolderRecord.isKept) ORDER BY changed_at DESC, id DESC LIMIT 1
        """

    private static let overview = """
        SELECT folder.*, (SELECT count(*) FROM course WHERE folder_id = folder.id) AS courses,
            (SELECT total(distance_metres) FROM course WHERE folder_id = folder.id) AS distance_metres
        FROM folder
        """
}
