internal import GRDB
package import PromisedDomain

extension Store {
    /// The most rows of one call of ``putPlaces(_:source:at:isDryRun:using:)``.
    package static let largestPlaceBatch = 1_000

    /// Adds a source or replaces its fields, in one transaction; a removed source comes back, without its places.
    ///
    /// - Parameter audit: written with it if an administrator does it.
    package func putSource(_ source: PlaceSource, audit: AuditEntry? = nil) async throws(StoreError) {
        try await write { db in
            try PlaceSourceRecord.save(source, in: db)
            _ = try DirectoryVersion.raise(in: db)
            try AuditRecord.insert(audit, into: db)
        }
    }

    /// Brings a batch of an import into the directory, in transactions of a few hundred rows that no other write shares:
    /// none waits for more than one of them.
    ///
    /// A row is a place of the source by its `ref`. Unchanged ones are not written, a place that had been removed comes
    /// back under its id, and if nothing differs there is no transaction.
    ///
    /// - Parameters:
    ///   - rows: at most ``largestPlaceBatch`` checked places with different `ref`s.
    ///   - source: the name of the source; a dry run may name one that does not exist.
    ///   - now: when the places that differ came or changed.
    ///   - isDryRun: `true` to write nothing.
    ///   - generator: makes the ids of new places.
    /// - Throws: ``StoreError/broken(_:)`` if there is no such source, two rows have the same `ref`, or a name or fact
    ///   has a line break; ``StoreError/unavailable(code:)`` if the disk is full. Earlier transactions of the batch stay:
    ///   the same batch again completes it.
    package func putPlaces(
        _ rows: [ImportedPlace],
        source: String,
        at now: Instant,
        isDryRun: Bool = false,
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) async throws(StoreError) -> PlaceChanges {
        precondition(rows.count <= Store.largestPlaceBatch, "A batch has at most \(Store.largestPlaceBatch) rows")
        let batch = PlaceBatch(rows: rows, source: source, at: now)
        // Most rows of a repeated import are unchanged: finding that out keeps no writer waiting.
        let plan = try await read { db in try batch.plan(in: db) }
        if isDryRun { return plan.all }
        var changes = plan.same
        var generator = generator
        for rows in plan.different.parts(of: Store.rowsPerTransaction) {
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

    /// The most rows of an import in one transaction: it takes some 10 ms, which is how long it holds other writes up.
    private static let rowsPerTransaction = 250

    /// The places of a source that are in the directory and not among those seen, in no particular order; all of them
    /// with an empty set, and none of an unknown source. A long read. Index `place_by_ref`.
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

    /// Removes places from the directory: their rows stay until ``sweepPlaces(removedBefore:limit:)``. Each transaction
    /// has at most ``largestPlaceBatch`` of them, and no other write shares it.
    ///
    /// - Returns: how many were in the directory.
    /// - Throws: ``StoreError``; earlier batches stay removed.
    @discardableResult
    package func removePlaces(_ ids: [PlaceID], at now: Instant) async throws(StoreError) -> Int {
        var removed = 0
        for part in ids.parts(of: Store.largestPlaceBatch) {
            removed += try await writeAlone { db in try PlaceRemoval.remove(part, at: now, in: db) }
        }
        return removed
    }

    /// Removes all places of a source, then the source. Interrupted, it is called again.
    ///
    /// - Parameter audit: written with the last step if an administrator does it.
    /// - Returns: how many places were removed; nil if there is no such source.
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

    /// Deletes the rows of places that were removed before an instant and that no favourite and no promise refers to, and
    /// of sources removed before it that have no rows left.
    ///
    /// - Parameter limit: how many places are deleted at most, in one transaction.
    /// - Returns: how many were deleted; fewer than `limit` if no more can be.
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
