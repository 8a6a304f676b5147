package import PromisedDomain
internal import PromisedJournal
package import PromisedPlaces

extension StoreUpkeep {
    /// Checks the invariants: the file's structure, foreign keys, events without gaps, a result exactly when final and
    /// with exactly one row for each person who took part, readable positions, forecasts, visits, courses and
    /// recordings, photos in order, each with its file, and valid references from places, favourites, promises and
    /// visits.
    ///
    /// Reads everything, each check as of one moment; other long reads run between two checks.
    ///
    /// - Parameters:
    ///   - categories: the valid categories of places.
    ///   - progress: called before each check with the fraction done, from 0 to 1.
    /// - Returns: the violations; empty for an intact store. For a damaged file, only those of its structure.
    package func verify(
        categories: CategoryTable = .builtIn,
        progress: @Sendable (Double) -> Void = { _ in }
    ) async throws(StoreError) -> [InvariantViolation] {
        let damages = try await driver.damages()
        // The other checks would only fail at the damage.
        guard damages.isEmpty else { return damages.map { InvariantViolation(check: "structure", detail: $0) } }
        let checks = Verification.checks(categories)
        var violations: [InvariantViolation] = []
        for (index, check) in checks.enumerated() {
            progress(Double(index + 1) / Double(checks.count + 1))
            violations += try await readAtLength(check)
        }
        return violations
    }
}

/// The checks of ``StoreUpkeep/verify()``.
private enum Verification {
    @Sendable static func references(_ db: SQLConnection) throws -> [InvariantViolation] {
        try db.rows("PRAGMA foreign_key_check", once: true).map { row in
            let table: String = try row.value("table")
            let parent: String = try row.value("parent")
            return InvariantViolation(check: "references", detail: "A row of \(table) without its \(parent)")
        }
    }

    /// All checks except that of the structure, in order.
    static func checks(_ categories: CategoryTable) -> [@Sendable (SQLConnection) throws -> [InvariantViolation]] {
        let invariants = Invariant.all.map { invariant in { @Sendable db in try violations(of: invariant, db) } }
        return [references] + invariants + [
            chunks, forecasts, { db in try self.categories(db, known: categories) }, visits,
            CourseVerification.unreadable,
        ]
    }

    private static func violations(of invariant: Invariant, _ db: SQLConnection) throws -> [InvariantViolation] {
        try db.rows(invariant.sql, once: true).map {
            InvariantViolation(check: invariant.name, detail: try $0.value(0))
        }
    }

    @Sendable static func chunks(_ db: SQLConnection) throws -> [InvariantViolation] {
        var violations: [InvariantViolation] = []
        let rows = try db.cursor("SELECT id, count, chunk FROM fix", once: true)
        while let row = try rows.next() {
            let chunk = try FixRecord.chunk(row)
            // Whatever the error, the chunk cannot be read.
            guard let fixes = try? chunk.fixes(), fixes.count == chunk.count else {
                let id: Int64 = try row.value("id")
                violations.append(InvariantViolation(check: "positions-readable", detail: "Chunk \(id)"))
                continue
            }
        }
        return violations
    }

    static func categories(_ db: SQLConnection, known: CategoryTable) throws -> [InvariantViolation] {
        let used: [String] = try db.rows(
            "SELECT DISTINCT categories FROM place WHERE removed_at IS NULL",
            once: true
        ).map { try $0.value(0) }
        let unknown = Set(used.flatMap(StoredCategories.ids)).filter { known[$0] == nil }
        return unknown.sorted().map { InvariantViolation(check: "categories-known", detail: $0.text) }
    }

    @Sendable static func visits(_ db: SQLConnection) throws -> [InvariantViolation] {
        var violations: [InvariantViolation] = []
        let rows = try db.cursor("SELECT hex(id) AS name, * FROM visit", once: true)
        while let row = try rows.next() {
            // Whatever the error, the visit cannot be read. Only courses have an audience of chosen people.
            guard let visit = try? VisitRecord.bare(row), visit.audience != .people else {
                violations.append(InvariantViolation(check: "visits-readable", detail: try row.value("name")))
                continue
            }
        }
        return violations
    }

    @Sendable static func forecasts(_ db: SQLConnection) throws -> [InvariantViolation] {
        var violations: [InvariantViolation] = []
        let rows = try db.cursor("SELECT * FROM weather_cell", once: true)
        while let row = try rows.next() {
            // Whatever the error, the record cannot be read.
            if (try? WeatherCellRecord.record(row)) == nil {
                let source: String = try row.value("source")
                violations.append(InvariantViolation(check: "weather-readable", detail: "A record of \(source)"))
            }
        }
        return violations
    }
}
