internal import PromisedDomain
internal import PromisedJournal

/// The rows of `erasing`, which is usually empty.
enum ErasingRecord {
    /// `true` while none of these ids is being erased. With an empty table, reads no row of the query.
    ///
    /// - Parameter ids: expressions; NULL is never being erased.
    static func isKept(_ ids: String...) -> String {
        """
        (NOT EXISTS (SELECT 1 FROM erasing)
            OR NOT EXISTS (SELECT 1 FROM erasing WHERE erasing.id IN (\(ids.joined(separator: ", ")))))
        """
    }

    static func insert(_ erasing: Erasing, at now: Instant, into db: SQLConnection) throws {
        try db.run(
            "INSERT INTO erasing (id, kind, begun_at) VALUES (?, ?, ?)",
            [erasing.id, erasing.kind, now]
        )
    }

    /// All entries, oldest first.
    static func fetchAll(from db: SQLConnection) throws -> [Erasing] {
        try db.rows("SELECT id, kind FROM erasing ORDER BY begun_at, id").map(erasing)
    }

    /// The oldest entries with what is left. Indexes `file_by_user`, `course_by_folder`.
    static func reports(limit: Int, from db: SQLConnection) throws -> [ErasingReport] {
        try db.rows(
            """
            SELECT id, kind, begun_at, CASE kind WHEN 'account' THEN (SELECT count(*) FROM file WHERE user_id = erasing.id)
                ELSE (SELECT count(*) FROM course WHERE folder_id = erasing.id) END AS remaining
            FROM erasing ORDER BY begun_at, id LIMIT ?
            """,
            [limit]
        ).map { row in
            ErasingReport(
                erasing: try erasing(row),
                deletedAt: try row.value("begun_at"),
                left: try row.value("remaining")
            )
        }
    }

    private static func erasing(_ row: SQLRow) throws -> Erasing {
        switch try row.value("kind") as String {
        case "account": .account(try row.value("id"))
        case "folder": .folder(try row.value("id"))
        default: throw StoreError.damaged("An unknown kind of a deletion")
        }
    }

    /// `true` if the account or folder is being erased. Primary key.
    static func contains(_ erasing: Erasing, in db: SQLConnection) throws -> Bool {
        try db.row("SELECT 1 FROM erasing WHERE id = ?", [erasing.id]) != nil
    }

    static func delete(_ erasing: Erasing, from db: SQLConnection) throws {
        try db.run("DELETE FROM erasing WHERE id = ?", [erasing.id])
    }
}

extension Erasing {
    fileprivate var id: any StoredValue {
        switch self {
        case .account(let id): id
        case .folder(let id): id
        }
    }

    fileprivate var kind: String {
        switch self {
        case .account: "account"
        case .folder: "folder"
        }
    }
}
