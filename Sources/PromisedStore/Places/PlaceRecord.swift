internal import GRDB
internal import PromisedDomain

/// The rows of `place`.
enum PlaceRecord {
    /// What a write must know of a row.
    struct Found {
        var number: Int64
        var id: PlaceID
        var isRemoved: Bool
        var columns: PlaceColumns

        init(_ row: Row) throws {
            columns = try PlaceColumns(row)
            number = try row.value("number")
            id = try row.value("id")
            let removedAt: Instant? = try row.value("removed_at")
            isRemoved = removedAt != nil
        }
    }

    /// The row of a source with this `ref`; nil if there is none. Index `place_by_ref`.
    static func find(ref: String, of source: Int64, in db: Database) throws -> Found? {
        try db.row(byRef, [source, ref]).map(Found.init)
    }

    static let byRef = """
        SELECT \(PlaceColumns.list), number, id, removed_at FROM place WHERE source_id = ? AND ref = ?
        """

    /// By id, removed or not; nil if there is none. Index `place_by_id`.
    static func fetch(_ id: PlaceID, sources: [Int64: PlaceSource], from db: Database) throws -> DirectoryPlace? {
        guard let row = try db.row("SELECT \(PlaceColumns.list), * FROM place WHERE id = ?", [id]) else { return nil }
        guard let source = sources[try row.value("source_id")] else {
            throw StoreError.damaged("A place without a source")
        }
        var place = DirectoryPlace(
            try PlaceColumns(row).place(ref: row.value("ref")),
            id: id,
            of: source,
            revision: try row.value("revision"),
            updatedAt: try row.value("updated_at")
        )
        place.removedAt = try row.value("removed_at")
        return place
    }

    /// `true` if the directory has this place. Index `place_by_id`.
    static func isPresent(_ id: PlaceID, in db: Database) throws -> Bool {
        try db.row("SELECT 1 FROM place WHERE id = ? AND removed_at IS NULL", [id]) != nil
    }

    // MARK: - Writing

    static func insert(
        _ columns: PlaceColumns,
        ref: String,
        id: PlaceID,
        of source: Int64,
        revision: Int,
        at now: Instant,
        into db: Database
    ) throws {
        try db.run(insertion, columns.values + [ref, id, source, revision, now])
    }

    private static let insertion = """
        INSERT INTO place (\(PlaceColumns.list), ref, id, source_id, revision, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Replaces the columns that a source fills; a removed place comes back. Primary key.
    static func update(
        _ number: Int64,
        to columns: PlaceColumns,
        revision: Int,
        at now: Instant,
        in db: Database
    ) throws {
        try db.run(replacement, columns.values + [revision, now, number])
    }

    private static let replacement = """
        UPDATE place SET (\(PlaceColumns.list), revision, updated_at, removed_at)
            = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)
        WHERE number = ?
        """

    /// Makes tombstones of the places that are in the directory. Index `place_by_id`.
    ///
    /// - Returns: their number for each source.
    static func remove(
        _ ids: some Sequence<PlaceID>,
        revision: Int,
        at now: Instant,
        in db: Database
    ) throws -> [Int64: Int] {
        var removed: [Int64: Int] = [:]
        for id in ids {
            let row = try db.row(
                """
                UPDATE place SET removed_at = ?, revision = ? WHERE id = ? AND removed_at IS NULL RETURNING source_id
                """,
                [now, revision, id]
            )
            if let row { removed[try row.value("source_id"), default: 0] += 1 }
        }
        return removed
    }
}
