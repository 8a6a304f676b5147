internal import PromisedDomain
internal import PromisedPlaces

/// The rows of `place`.
enum PlaceRecord {
    /// The fields of a stored row that are needed to write it.
    struct Found {
        var number: Int64
        var id: PlaceID
        var isRemoved: Bool
        var columns: PlaceColumns

        init(_ row: SQLRow) throws {
            columns = try PlaceColumns(row)
            number = try row.value(12)
            id = try row.value(13)
            let removedAt: Int64? = try row.value(14)
            isRemoved = removedAt != nil
        }
    }

    /// The rows of a source with these `ref`s, by `ref`. Index `place_by_ref`.
    ///
    /// In one query: preparing and stepping a query for each place takes longer than finding it.
    static func find(_ refs: [String], of source: Int64, in db: SQLConnection) throws -> [String: Found] {
        var found: [String: Found] = [:]
        let rows = try db.cursor(
            byRefs(count: refs.count),
            [source] + refs.map { $0 as (any StoredValue)? },
            once: true
        )
        while let row = try rows.next() { found[try row.value(15)] = try Found(row) }
        return found
    }

    static func byRefs(count: Int) -> String {
        let marks = Array(repeating: "?", count: count).joined(separator: ", ")
        return """
            SELECT \(PlaceColumns.list), number, id, removed_at, ref FROM place WHERE source_id = ? AND ref IN (\(marks))
            """
    }

    /// A place by id, removed or not; nil if the id is unknown. Index `place_by_id`.
    static func fetch(_ id: PlaceID, sources: [Int64: PlaceSource], from db: SQLConnection) throws -> DirectoryPlace? {
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
    static func isPresent(_ id: PlaceID, in db: SQLConnection) throws -> Bool {
        try db.row("SELECT 1 FROM place WHERE id = ? AND removed_at IS NULL", [id]) != nil
    }

    /// Removes places from the directory; their rows stay. Index `place_by_id`.
    ///
    /// - Returns: how many were removed per source.
    static func remove(
        _ ids: some Sequence<PlaceID>,
        revision: Int,
        at now: Instant,
        in db: SQLConnection
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

/// Writes places of one transaction under one version.
struct PlaceWriter {
    private let revision: Int
    private let at: Instant
    private let db: SQLConnection

    init(revision: Int, at now: Instant, in db: SQLConnection) {
        self.revision = revision
        at = now
        self.db = db
    }

    func insert(_ columns: PlaceColumns, ref: String, id: PlaceID, of source: Int64) throws {
        try db.run(PlaceWriter.insertion, columns.values + [ref, id, source, revision, at])
    }

    /// Replaces the columns that a source fills, and restores a removed place. Primary key.
    func update(_ number: Int64, to columns: PlaceColumns) throws {
        try db.run(PlaceWriter.replacement, columns.values + [revision, at, number])
    }

    private static let insertion = """
        INSERT INTO place (\(PlaceColumns.list), ref, id, source_id, revision, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    private static let replacement = """
        UPDATE place SET (\(PlaceColumns.list), revision, updated_at, removed_at)
            = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)
        WHERE number = ?
        """
}
