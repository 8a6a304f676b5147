internal import PromisedDomain

/// Removes places and sources, in the transaction of the caller.
enum PlaceRemoval {
    /// Removes places from the directory under one new version; their rows stay.
    ///
    /// - Returns: how many of them were in the directory.
    static func remove(_ ids: some Sequence<PlaceID>, at now: Instant, in db: SQLConnection) throws -> Int {
        let revision = try DirectoryVersion.current(in: db) + 1
        let removed = try PlaceRecord.remove(ids, revision: revision, at: now, in: db)
        for (source, count) in removed { try PlaceSourceRecord.count(-count, of: source, in: db) }
        if !removed.isEmpty { _ = try DirectoryVersion.raise(in: db) }
        return removed.values.reduce(0, +)
    }

    /// Removes a source that has no places; does nothing if it has some.
    static func removeSource(_ source: String, at now: Instant, in db: SQLConnection) throws {
        try db.run("UPDATE place_source SET removed_at = ? WHERE name = ? AND places = 0", [now, source])
        _ = try DirectoryVersion.raise(in: db)
    }

    /// Deletes the rows of removed places and sources that are no longer referenced.
    ///
    /// - Returns: how many places were deleted.
    static func sweep(removedBefore instant: Instant, limit: Int, in db: SQLConnection) throws -> Int {
        try db.run(
            "DELETE FROM place WHERE number IN (\(PlaceListQuery.unreferred))",
            named: ["before": instant, "limit": limit]
        )
        let deleted = db.changesCount
        try db.run(
            """
            DELETE FROM place_source
            WHERE removed_at < ? AND NOT EXISTS (SELECT 1 FROM place WHERE source_id = place_source.id)
            """,
            [instant]
        )
        return deleted
    }
}

/// The queries for lists of places.
enum PlaceListQuery {
    /// The places in the directory of a source, by its name.
    static let ofSource = """
        SELECT id FROM place WHERE source_id = (SELECT id FROM place_source WHERE name = ?) AND removed_at IS NULL
        """

    /// Places that were removed long ago and are not referenced, oldest first; each table that refers to places has a
    /// line.
    static let unreferred = """
        SELECT number FROM place INDEXED BY place_by_removal WHERE removed_at < :before
            AND NOT EXISTS (SELECT 1 FROM favourite WHERE place_id = place.id)
            AND NOT EXISTS (SELECT 1 FROM promise WHERE place_id = place.id)
            AND NOT EXISTS (SELECT 1 FROM visit WHERE place_id = place.id)
        ORDER BY removed_at LIMIT :limit
        """

    /// All places of the directory, in table order: a scan, as needed to build the index.
    static let all = """
        SELECT id, source_id, revision, latitude, longitude, categories, region, hours, name, address, names FROM place
        WHERE removed_at IS NULL
        """
}
