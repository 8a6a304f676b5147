internal import GRDB
package import PromisedDomain

/// A broken invariant.
package struct Violation: Hashable, Sendable {
    /// The check that found it: a short stable name.
    package var check: String
    /// The violation, with ids in hexadecimal; holds no name and no position.
    package var detail: String

    /// A violation found by a check.
    package init(check: String, detail: String) {
        self.check = check
        self.detail = detail
    }
}

extension Store {
    /// Checks the invariants: the file's structure, foreign keys, events without gaps, a result exactly when final and
    /// with exactly one row for each person who took part, readable positions, forecasts, visits, courses and
    /// recordings, photos in order, each with its file, and places, favourites, promises and visits that refer to rows that exist.
    ///
    /// Reads everything, as of one moment; other calls proceed meanwhile, but the log grows until it ends.
    ///
    /// - Parameter categories: the categories that places may have.
    /// - Returns: the violations; empty for an intact store. Of a damaged file only those of its structure.
    package func verify(categories: CategoryTable = .builtIn) async throws(StoreError) -> [Violation] {
        try await readAtLength { db in
            let damages = try Verification.structure(db)
            // Of a damaged file the other checks say nothing: they fail at the damage.
            guard damages.isEmpty else { return damages }
            return try Verification.references(db) + Verification.invariants(db)
                + Verification.chunks(db) + Verification.forecasts(db)
                + Verification.categories(db, known: categories) + Verification.visits(db)
                + CourseVerification.unreadable(db)
        }
    }
}

/// The checks of ``Store/verify()``.
private enum Verification {
    static func structure(_ db: Database) throws -> [Violation] {
        do {
            return try String.fetchAll(db, sql: "PRAGMA integrity_check")
                .filter { $0 != "ok" }
                .map { Violation(check: "structure", detail: $0) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return [Violation(check: "structure", detail: "The check itself fails: \(error.message ?? "damaged")")]
        }
    }

    static func references(_ db: Database) throws -> [Violation] {
        try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { row in
            let table: String = try row.value("table")
            let parent: String = try row.value("parent")
            return Violation(check: "references", detail: "A row of \(table) without its \(parent)")
        }
    }

    static func invariants(_ db: Database) throws -> [Violation] {
        try Invariant.all.flatMap { invariant in
            try String.fetchAll(db, sql: invariant.sql).map { Violation(check: invariant.name, detail: $0) }
        }
    }

    static func chunks(_ db: Database) throws -> [Violation] {
        var violations: [Violation] = []
        let rows = try Row.fetchCursor(db, sql: "SELECT id, count, chunk FROM fix")
        while let row = try rows.next() {
            let chunk = try FixRecord.chunk(row)
            // Whatever the cause, the chunk cannot be read.
            guard let fixes = try? chunk.fixes(), fixes.count == chunk.count else {
                let id: Int64 = try row.value("id")
                violations.append(Violation(check: "positions-readable", detail: "Chunk \(id)"))
                continue
            }
        }
        return violations
    }

    static func categories(_ db: Database, known: CategoryTable) throws -> [Violation] {
        let used = try String.fetchAll(db, sql: "SELECT DISTINCT categories FROM place WHERE removed_at IS NULL")
        let unknown = Set(used.flatMap(StoredCategories.ids)).filter { known[$0] == nil }
        return unknown.sorted().map { Violation(check: "categories-known", detail: $0.text) }
    }

    static func visits(_ db: Database) throws -> [Violation] {
        var violations: [Violation] = []
        let rows = try Row.fetchCursor(db, sql: "SELECT hex(id) AS name, * FROM visit")
        while let row = try rows.next() {
            // Whatever the cause, the visit cannot be read. Chosen people see courses only.
            guard let visit = try? VisitRecord.bare(row), visit.audience != .people else {
                violations.append(Violation(check: "visits-readable", detail: try row.value("name")))
                continue
            }
        }
        return violations
    }

    static func forecasts(_ db: Database) throws -> [Violation] {
        var violations: [Violation] = []
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM weather_cell")
        while let row = try rows.next() {
            // Whatever the cause, the record cannot be read.
            if (try? WeatherCellRecord.record(row)) == nil {
                let source: String = try row.value("source")
                violations.append(Violation(check: "weather-readable", detail: "A record of \(source)"))
            }
        }
        return violations
    }
}
