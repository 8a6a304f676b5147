internal import GRDB
internal import PromisedDomain

/// Some rows of an import, on their way into the directory.
struct PlaceBatch: Sendable {
    /// What a row is to the directory.
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

    /// What writing would do, and the rows that it would write; writes nothing.
    ///
    /// Without such a source every row is new.
    func compare(in db: Database) throws -> (changes: PlaceChanges, different: [ImportedPlace]) {
        var changes = PlaceChanges()
        guard let source = try PlaceSourceRecord.fetch(source, from: db)?.number else {
            changes.added = rows.count
            return (changes, rows)
        }
        var different: [ImportedPlace] = []
        for row in rows {
            let found = try PlaceRecord.find(ref: row.ref, of: source, in: db)
            let difference = Difference(try PlaceColumns(row), from: found)
            changes.count(difference)
            if case .same = difference { continue }
            different.append(row)
        }
        return (changes, different)
    }

    /// Writes the rows that differ from what the directory has, under one new version.
    ///
    /// - Throws: ``StoreError/broken(_:)`` if there is no such source.
    func write(in db: Database, using generator: inout some RandomNumberGenerator) throws -> PlaceChanges {
        guard let source = try PlaceSourceRecord.present(source, in: db) else {
            throw StoreError.broken("Places of an unknown source")
        }
        let revision = try DirectoryVersion.current(in: db) + 1
        var changes = PlaceChanges()
        for row in rows {
            let columns = try PlaceColumns(row)
            let difference = Difference(columns, from: try PlaceRecord.find(ref: row.ref, of: source, in: db))
            changes.count(difference)
            switch difference {
            case .new:
                let id = PlaceID(at: at, using: &generator)
                changes.seen.append(id)
                try PlaceRecord.insert(
                    columns,
                    ref: row.ref,
                    id: id,
                    of: source,
                    revision: revision,
                    at: at,
                    into: db
                )
            case .changed(let found):
                try PlaceRecord.update(found.number, to: columns, revision: revision, at: at, in: db)
            case .same: break
            }
        }
        try PlaceSourceRecord.count(changes.added, of: source, in: db)
        if changes.added + changes.changed > 0 { _ = try DirectoryVersion.raise(in: db) }
        return changes
    }
}

extension PlaceChanges {
    /// Counts a row; the id of a new place is added by the write.
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
