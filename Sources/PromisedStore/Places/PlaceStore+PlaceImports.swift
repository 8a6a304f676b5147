package import PromisedDomain
package import PromisedPlaces

extension PlaceStore {
    /// The most rows of one call of ``putPlaces(_:source:at:isDryRun:using:)``.
    package static let largestPlaceBatch = 1_000

    /// Adds a source or replaces its fields, in one transaction; restores a removed source, without its places.
    ///
    /// - Parameter audit: written in the same transaction if an administrator does this.
    package func putSource(_ source: PlaceSource, audit: AuditEntry? = nil) async throws(StoreError) {
        try await write { db in
            try PlaceSourceRecord.save(source, in: db)
            _ = try DirectoryVersion.raise(in: db)
            try AuditRecord.insert(audit, into: db)
        }
    }

    /// Writes a batch of an import to the directory, in exclusive transactions of a few hundred rows; other writes wait
    /// for at most one of them.
    ///
    /// A row describes the source's place with its `ref`. Unchanged places are not written, a removed place is restored
    /// with its id, and a batch without changes needs no write transaction.
    ///
    /// - Parameters:
    ///   - rows: at most ``largestPlaceBatch`` validated places with different `ref`s.
    ///   - source: the name of the source; a dry run may name one that does not exist.
    ///   - now: the instant stored for added and changed places.
    ///   - isDryRun: `true` to write nothing.
    ///   - generator: creates the ids of new places.
    /// - Throws: ``StoreError/broken(_:)`` if the source does not exist, two rows have the same `ref`, or a name or
    ///   fact has a line break; ``StoreError/unavailable(code:)`` if the disk is full. Earlier transactions of the
    ///   batch remain; repeat the batch to complete it.
    package func putPlaces(
        _ rows: [ImportedPlace],
        source: String,
        at now: Instant,
        isDryRun: Bool = false,
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) async throws(StoreError) -> PlaceChanges {
        precondition(
            rows.count <= PlaceStore.largestPlaceBatch,
            "A batch has at most \(PlaceStore.largestPlaceBatch) rows"
        )
        let batch = PlaceBatch(rows: rows, source: source, at: now)
        // Most rows of a repeated import are unchanged; detecting that does not block the writer.
        let plan = try await read { db in try batch.plan(in: db) }
        if isDryRun { return plan.all }
        var changes = plan.same
        var generator = generator
        for rows in plan.different.parts(of: PlaceStore.rowsPerTransaction) {
            let part = PlaceBatch(rows: rows, source: source, at: now)
            let written = try await writeAlone { [generator] db in
                var generator = generator
                return (try part.write(in: db, using: &generator), generator)
            }
            changes.add(written.0)
            generator = written.1
        }
        return changes
    }

    /// The most rows of an import in one transaction, which takes about 10 ms and delays other writes for that time.
    private static let rowsPerTransaction = 250

    /// The places of a source that are in the directory but not in `seen`, in no particular order: all of them for an
    /// empty set, none for an unknown source. A long read. Index `place_by_ref`.
    package func missingPlaces(of source: String, seen: Set<PlaceID>) async throws(StoreError) -> [PlaceID] {
        try await readAtLength { db in
            var missing: [PlaceID] = []
            let rows = try db.cursor(PlaceListQuery.ofSource, [source])
            while let row = try rows.next() {
                let id: PlaceID = try row.value("id")
                if !seen.contains(id) { missing.append(id) }
            }
            return missing
        }
    }

    /// Removes places from the directory; their rows stay until ``sweepPlaces(removedBefore:limit:)``. Each exclusive
    /// transaction removes at most ``largestPlaceBatch``.
    ///
    /// - Returns: how many were in the directory.
    /// - Throws: ``StoreError``; earlier batches stay removed.
    @discardableResult
    package func removePlaces(_ ids: [PlaceID], at now: Instant) async throws(StoreError) -> Int {
        var removed = 0
        for part in ids.parts(of: PlaceStore.largestPlaceBatch) {
            removed += try await writeAlone { db in try PlaceRemoval.remove(part, at: now, in: db) }
        }
        return removed
    }

    /// Removes all places of a source, then the source. After an interruption, call it again.
    ///
    /// - Parameter audit: written with the last step if an administrator does this.
    /// - Returns: how many places were removed; nil if the source does not exist.
    package func removeSource(
        named name: String,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws(StoreError) -> Int? {
        guard try await read({ db in try PlaceSourceRecord.present(name, in: db) }) != nil else { return nil }
        let removed = try await removePlaces(missingPlaces(of: name, seen: []), at: now)
        try await write { db in
            try PlaceRemoval.removeSource(name, at: now, in: db)
            try AuditRecord.insert(audit, into: db)
        }
        return removed
    }

    /// Deletes the rows of places that were removed before an instant and are not referenced by a favourite or promise,
    /// and of sources removed before it that have no rows left.
    ///
    /// - Parameter limit: the most places to delete, in one transaction.
    /// - Returns: how many were deleted; fewer than `limit` at the end.
    @discardableResult
    package func sweepPlaces(removedBefore instant: Instant, limit: Int) async throws(StoreError) -> Int {
        try await writeAlone { db in try PlaceRemoval.sweep(removedBefore: instant, limit: limit, in: db) }
    }
}

extension Array {
    /// The elements in order, in arrays of `size`; the last one may be shorter.
    fileprivate func parts(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
