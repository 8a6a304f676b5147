internal import GRDB

/// The steps from an empty file to the current schema.
///
/// Append-only: a released step is never edited or renamed, and a new one gets the next number. `Golden/schema.sql` of
/// the tests shows their sum.
enum Migrations {
    /// The pending change of a database; changes nothing. Throws ``StoreError/newerSchema`` if the database has a step
    /// that this version does not know.
    static func change(of database: some DatabaseReader) throws -> SchemaChange {
        try database.read { db in
            let applied = try DatabaseMigrator().appliedIdentifiers(db)
            guard applied.isSubset(of: steps.map(\.name)) else { throw StoreError.newerSchema }
            let missing = steps.map(\.name).filter { !applied.contains($0) }
            return SchemaChange(migrations: missing, isFirst: applied.isEmpty)
        }
    }

    /// Runs the missing steps, after backing up the database unless it is empty; blocks the thread. The backup replaces
    /// those of earlier attempts.
    ///
    /// - Parameter backupPrefix: the beginning of the backup's path.
    /// - Returns: the change with the path of the backup.
    static func carryOut(_ change: SchemaChange, on pool: DatabasePool, backupPrefix: String) throws -> SchemaChange {
        var change = change
        guard let first = change.migrations.first else { return change }
        if !change.isFirst {
            let path = "\(backupPrefix).before-\(first)"
            try DatabaseCopy.writeNewest(from: pool, to: path)
            change.backupPath = path
        }
        try run(change.migrations, on: pool)
        return change
    }

    /// Creates the current schema in an empty database.
    static func create(in database: some DatabaseWriter) throws { try run(steps.map(\.name), on: database) }

    /// The steps applied to a database, in order.
    static func applied(_ db: Database) throws -> [String] {
        let applied = try DatabaseMigrator().appliedIdentifiers(db)
        return steps.map(\.name).filter(applied.contains)
    }

    /// Runs steps in order, all in one transaction: after a crash or an error the old schema is intact.
    private static func run(_ names: [String], on database: some DatabaseWriter) throws {
        let missing = steps.filter { names.contains($0.name) }
        guard let last = missing.last else { return }
        var migrator = DatabaseMigrator()
        // GRDB commits each migration separately, so all steps are one GRDB migration, with the name of the last.
        migrator.registerMigration(last.name) { db in
            for step in missing {
                try step.run(db)
                guard step.name != last.name else { break }
                try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [step.name])
            }
        }
        try migrator.migrate(database)
    }

    private struct Step: Sendable {
        let name: String
        let run: @Sendable (Database) throws -> Void

        init(_ name: String, run: @escaping @Sendable (Database) throws -> Void) {
            self.name = name
            self.run = run
        }

        init(_ name: String, _ sql: String) { self.init(name) { db in try db.execute(sql: sql) } }
    }

    private static let steps = [
        Step("0001-accounts", accounts),
        Step("0002-friendships", friendships),
        Step("0003-promises", promises),
        Step("0004-results-and-fixes", resultsAndFixes),
        Step("0005-housekeeping", housekeeping),
        Step("0006-people", people),
        Step("0007-live", live),
        Step("0008-administration", administration),
        Step("0009-links", links),
        Step("0010-tombstone-statuses", tombstoneStatuses),
        Step("0011-shown-rejections", shownRejections),
        Step("0012-nudges", nudges),
        Step("0013-nickname-skeletons") { db in
            try db.execute(sql: nicknameSkeletons)
            try NicknameSkeleton.fill(db)
        },
        Step("0014-refresh-families", refreshFamilies),
        Step("0015-shares-from", sharesFrom),
        Step("0017-revoked-invites", revokedInvites),
        Step("0018-places", places),
        Step("0019-weather", weather),
        Step("0020-notifications", notifications),
        Step("0021-files", files),
        Step("0022-visits", visits),
        Step("0023-courses", courses),
        Step("0024-recordings", recordings),
        Step("0025-counts", counts),
        Step("0026-visit-columns", visitColumns),
        Step("0027-course-columns", courseColumns),
        Step("0028-file-totals", fileTotals),
        Step("0029-promise-status", promiseStatus),
        Step("0030-shown-statuses", shownStatuses),
        Step("0031-open-parts", openParts),
        Step("0034-visit-dates") { db in try VisitDates.correct(in: db) },
        Step("0036-came-together", cameTogether),
        Step("0037-reshaped-courses") { db in try CourseReshaping.run(in: db) },
        Step("0042-course-people", coursePeople),
        Step("0044-known-callers", knownCallers),
        Step("0045-tombstone-traces", tombstoneTraces),
        Step("0046-erasing", erasing),
        Step("0047-shifted-ends") { db in try CourseReshaping.run(in: db) },
        Step("0048-clean-file") { db in try CleanFile.clean(db) },
    ]
}

/// The schema change that opening makes, or would make.
package struct SchemaChange: Hashable, Sendable {
    /// The missing migrations, in order.
    package var migrations: [String]
    /// `true` if the database was empty, so there was nothing to back up.
    package var isFirst: Bool
    /// The backup made before migrating; nil if no migration ran or the database was empty.
    package var backupPath: String?

    /// A pending change.
    init(migrations: [String], isFirst: Bool) {
        self.migrations = migrations
        self.isFirst = isFirst
    }
}
