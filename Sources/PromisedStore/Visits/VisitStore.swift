package import PromisedDomain
package import PromisedJournal

/// A visit after a change.
package struct VisitChange: Hashable, Sendable {
    package let visit: Visit
    /// The photos removed from the visit: their rows are deleted, and the caller deletes their bytes.
    package let removedFiles: [FileID]
}

/// Visits, their lists and statistics.
package struct VisitStore: StorePart {
    let driver: any StoreDriver

    /// Adds a visit by hand with its photos, once per key, in one transaction.
    ///
    /// - Parameters:
    ///   - key: the client's name for this request.
    ///   - contentHash: a hash of the request's content, to distinguish a repetition from a reuse.
    /// - Returns: the visit, also if the same request created it less than 24 h ago; or the first refusal of
    ///   `requestKeyReused`, those of ``Visit/init(_:id:by:count:at:)``, `placeNotFound` for a place that is not in the
    ///   directory, `fileNotFound` for a photo that is not the user's or has been used. A key whose visit has been
    ///   deleted counts as unused.
    /// - Throws: ``StoreError/broken(_:)`` if the user or a companion is unknown, or the user deleted.
    package func createVisit(
        _ draft: VisitDraft,
        id: VisitID,
        of user: UserID,
        key: String,
        contentHash: [UInt8],
        at now: Instant
    ) async throws(StoreError) -> Result<Visit, Refusal> {
        let use = KeyUse(.visit, owner: user, key: key, contentHash: contentHash, at: now)
        return try await writeUnlessRefused { db in
            guard try AccountRecord.isAlive(user, in: db) else {
                throw StoreError.broken("A visit of a user without an account")
            }
            if let visit = try VisitRecord.made(by: use, of: user, in: db) { return visit }
            let visit = try Visit(draft, id: id, by: user, count: VisitRecord.count(of: user, in: db), at: now)
            if let place = draft.moment.place.placeID, try !PlaceRecord.isPresent(place, in: db) {
                throw Refusal.placeNotFound
            }
            try VisitRecord.insert(visit, into: db)
            _ = try VisitPhotoRecord.replace([], by: visit.notes.photos, of: visit, at: now, in: db)
            try use.remember(visit.id, in: db)
            return visit
        }
    }

    /// The visit that a request with this key created less than 24 h ago; nil if the key is unused. Primary keys.
    ///
    /// - Returns: the current visit; or `requestKeyReused`.
    package func earlierVisit(
        of user: UserID,
        key: String,
        contentHash: [UInt8],
        at now: Instant
    ) async throws(StoreError) -> Result<Visit?, Refusal> {
        let use = KeyUse(.visit, owner: user, key: key, contentHash: contentHash, at: now)
        return try await read { db in
            do {
                return .success(try VisitRecord.made(by: use, of: user, in: db))
            } catch let refusal as Refusal {
                return .failure(refusal)
            }
        }
    }

    /// Changes a visit of a user by ``Visit/apply(_:at:)``, in one transaction. Primary keys.
    ///
    /// - Returns: the visit and its removed files; or the first refusal of `visitNotFound`, those of the edit,
    ///   `placeNotFound` for a new place that is not in the directory, `fileNotFound` for a new photo that is not the
    ///   user's or has been used. Writes nothing after a refusal or without a change.
    /// - Throws: ``StoreError/broken(_:)`` if a companion is unknown.
    package func updateVisit(
        _ id: VisitID,
        of user: UserID,
        _ edit: VisitEdit,
        at now: Instant
    ) async throws(StoreError) -> Result<VisitChange, Refusal> {
        try await writeUnlessRefused { db in
            guard let before = try VisitRecord.fetch(id, of: user, from: db) else { throw Refusal.visitNotFound }
            var visit = before
            try visit.apply(edit, at: now)
            guard visit != before else { return VisitChange(visit: visit, removedFiles: []) }
            let place = visit.moment.place.placeID
            if let place, place != before.moment.place.placeID, try !PlaceRecord.isPresent(place, in: db) {
                throw Refusal.placeNotFound
            }
            try VisitRecord.update(before, to: visit, in: db)
            let removed = try VisitPhotoRecord.replace(
                before.notes.photos,
                by: visit.notes.photos,
                of: visit,
                at: now,
                in: db
            )
            return VisitChange(visit: visit, removedFiles: removed)
        }
    }

    /// Deletes a visit of a user with its photos, and the archive that may contain it, in one transaction. Keeps the
    /// dates of badges while other visits remain, and leaves a mark for a visit from an arrival. Primary key; first
    /// reads the user's visits from `visit_by_time` until all badges have a date.
    ///
    /// - Returns: the deleted files, whose bytes the caller deletes; nil if the user does not have this visit.
    package func deleteVisit(_ id: VisitID, of user: UserID) async throws(StoreError) -> [FileID]? {
        defer { driver.noteErasure() }
        guard try await read({ db in try VisitRecord.fetch(id, of: user, from: db) }) != nil else { return nil }
        // Computing the badges of 10,000 visits would block the writing connection. A visit added meanwhile earns its
        // badges as long as it exists, and dates stored by another deletion stay.
        let marks = try await newVisitMarks(of: user)
        return try await write { db in
            guard let visit = try VisitRecord.fetch(id, of: user, from: db) else { return nil }
            if try VisitRecord.count(of: user, in: db) > 1 {
                try VisitBadgeRecord.keep(marks, of: user, in: db)
            } else {
                try VisitBadgeRecord.deleteAll(of: user, in: db)
            }
            if let mark = visit.mark { try VisitMarkRecord.insert(mark, into: db) }
            var erasure = Erasure()
            try VisitRecord.delete(id, from: db, into: &erasure)
            return try erasure.files + FileRecord.deleteArchive(of: user, from: db)
        }
    }

    /// A visit that a user may see now, by ``Audience/admits(_:)``; nil for all other ids. Primary keys.
    package func visit(_ id: VisitID, seenBy viewer: UserID) async throws(StoreError) -> Visit? {
        try await read { db in
            try VisitQuery.isVisible(id, to: viewer, in: db) ? VisitRecord.fetch(id, from: db) : nil
        }
    }
}

extension VisitRecord {
    /// The visit created by an earlier use of the key; nil if the key is free. Throws `requestKeyReused`.
    fileprivate static func made(by use: KeyUse, of user: UserID, in db: SQLConnection) throws -> Visit? {
        let earlier: EarlierUse<VisitSubject>? = try use.earlier(in: db)
        switch earlier {
        case .same(let id): return try fetch(id, of: user, from: db)
        case .other: throw Refusal.requestKeyReused
        case nil: return nil
        }
    }
}

package protocol HasVisits: Sendable {
    var visits: VisitStore { get }
}
