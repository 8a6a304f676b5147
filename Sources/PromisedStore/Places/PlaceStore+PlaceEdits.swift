package import PromisedDomain
package import PromisedPlaces

/// The outcome of adding one place by hand.
package enum PlaceCreation: Hashable, Sendable {
    /// The place was added with this id: the given one, or that of a removed place with the same `ref`.
    case created(PlaceID)
    /// The source already has a place with this `ref`; nothing was written.
    case refTaken(PlaceID)
    /// The source does not exist; nothing was written.
    case sourceMissing
}

extension PlaceStore {
    /// Adds a place that an administrator describes, in one transaction.
    ///
    /// - Parameters:
    ///   - place: a validated place; its revision is ignored, and its hours are in the time zone of its source.
    ///   - audit: written in the same transaction, with the place as its subject.
    package func createPlace(
        _ place: DirectoryPlace,
        audit: AuditEntry? = nil
    ) async throws(StoreError) -> PlaceCreation {
        try await write { db in
            guard let source = try PlaceSourceRecord.present(place.listing.source, in: db) else {
                return .sourceMissing
            }
            let found = try PlaceRecord.find([place.ref], of: source, in: db)[place.ref]
            if let found, !found.isRemoved { return .refTaken(found.id) }
            let id = found?.id ?? place.listing.id
            let columns = try PlaceColumns(ImportedPlace(place))
            let writer = PlaceWriter(revision: try DirectoryVersion.raise(in: db), at: place.updatedAt, in: db)
            if let found {
                try writer.update(found.number, to: columns)
            } else {
                try writer.insert(columns, ref: place.ref, id: id, of: source)
            }
            try PlaceSourceRecord.count(1, of: source, in: db)
            try AuditRecord.insert(audit?.about("\(id)"), into: db)
            return .created(id)
        }
    }

    /// Replaces the content of a place in the directory, in one transaction; its source and `ref` stay. The next import
    /// of the source overwrites the edit.
    ///
    /// - Parameter audit: written in the same transaction if an administrator edits it.
    /// - Returns: `false`, with nothing written, if the place is not in the directory.
    package func editPlace(_ place: DirectoryPlace, audit: AuditEntry? = nil) async throws(StoreError) -> Bool {
        try await write { db in
            let row = try db.row("SELECT number FROM place WHERE id = ? AND removed_at IS NULL", [place.listing.id])
            guard let number: Int64 = try row?.value("number") else { return false }
            let writer = PlaceWriter(revision: try DirectoryVersion.raise(in: db), at: place.updatedAt, in: db)
            try writer.update(number, to: PlaceColumns(ImportedPlace(place)))
            try AuditRecord.insert(audit, into: db)
            return true
        }
    }

    /// Removes one place from the directory, in one transaction.
    ///
    /// - Parameter audit: written in the same transaction if an administrator removes it.
    /// - Returns: `false`, with nothing written, if the place is not in the directory.
    package func removePlace(
        _ id: PlaceID,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws(StoreError) -> Bool {
        try await write { db in
            guard try PlaceRemoval.remove([id], at: now, in: db) == 1 else { return false }
            try AuditRecord.insert(audit, into: db)
            return true
        }
    }
}
