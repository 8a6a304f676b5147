internal import PromisedDomain
internal import PromisedPlaces

/// Some rows of an import, to be written to the directory.
struct PlaceBatch: Sendable {
    /// The difference between a row and the directory's place.
    fileprivate enum Difference {
        case new
        /// Content or presence differ.
        case changed(PlaceRecord.Found)
        case same(PlaceID)

        init(_ columns: PlaceColumns, from found: PlaceRecord.Found?) {
            self =
                switch found {
                case nil: .new
                case let found? where found.isRemoved || found.columns != columns: .changed(found)
                case let found?: .same(found.id)
                }
        }
    }

    var rows: [ImportedPlace]
    let source: String
    let at: Instant

    /// The changes that a write would make; writes nothing. If the source does not exist, every row is new.
    func plan(in db: SQLConnection) throws -> PlacePlan {
        var plan = PlacePlan()
        let source = try PlaceSourceRecord.fetch(source, from: db)?.number
        let found = try source.map { try PlaceRecord.find(rows.map(\.ref), of: $0, in: db) } ?? [:]
        for row in rows {
            let difference = Difference(try PlaceColumns(row), from: found[row.ref])
            plan.all.count(difference)
            if case .same = difference {
                plan.same.count(difference)
            } else {
                plan.different.append(row)
            }
        }
        return plan
    }

    /// Writes the rows that differ from the directory, under one new version.
    ///
    /// - Throws: ``StoreError/broken(_:)`` if the source does not exist, or if two rows have the same `ref`.
    func write(in db: SQLConnection, using generator: inout some RandomNumberGenerator) throws -> PlaceChanges {
        guard let source = try PlaceSourceRecord.present(source, in: db) else {
            throw StoreError.broken("Places of an unknown source")
        }
        let found = try PlaceRecord.find(rows.map(\.ref), of: source, in: db)
        let writer = PlaceWriter(revision: try DirectoryVersion.current(in: db) + 1, at: at, in: db)
        var changes = PlaceChanges()
        for row in rows {
            let columns = try PlaceColumns(row)
            let difference = Difference(columns, from: found[row.ref])
            changes.count(difference)
            switch difference {
            case .new:
                let id = PlaceID(at: at, using: &generator)
                changes.seen.append(id)
                try writer.insert(columns, ref: row.ref, id: id, of: source)
            case .changed(let found): try writer.update(found.number, to: columns)
            case .same: break
            }
        }
        try PlaceSourceRecord.count(changes.added, of: source, in: db)
        if changes.added + changes.changed > 0 { _ = try DirectoryVersion.raise(in: db) }
        return changes
    }
}

/// The changes that a batch would make.
struct PlacePlan: Sendable {
    /// The changes for all rows.
    var all = PlaceChanges()
    /// The changes for unchanged places.
    var same = PlaceChanges()
    /// The rows to write, in order.
    var different: [ImportedPlace] = []
}

extension PlaceChanges {
    /// Counts a row; the write adds the id of a new place.
    fileprivate mutating func count(_ difference: PlaceBatch.Difference) {
        switch difference {
        case .new: added += 1
        case .changed(let found):
            seen.append(found.id)
            if found.isRemoved { added += 1 } else { changed += 1 }
        case .same(let id):
            seen.append(id)
            unchanged += 1
        }
    }
}
