internal import GRDB

/// The steps from an empty file to the current schema.
///
/// Append-only: a step that was ever released is never edited, its name never changes, and a new one takes the next
/// number. `Golden/schema.sql` of the tests shows their sum.
enum Migrations {
    /// The pending change of a database; changes nothing. Throws ``StoreError/newerSchema`` if it has a step that this
    /// version does not know.
    static func change(of database: some DatabaseReader) throws -> SchemaChange {
        let migrator = migrator()
        return try database.read { db in
            guard try !migrator.hasBeenSuperseded(db) else { throw StoreError.newerSchema }
            let applied = try Set(migrator.appliedIdentifiers(db))
            let pending = migrator.migrations.filter { !applied.contains($0) }
            return SchemaChange(migrations: pending, isFirst: applied.isEmpty)
        }
    }

    /// Runs the missing steps, after a copy of the database unless it is empty; blocks the thread.
    ///
    /// - Parameter backupPrefix: how the path of the copy begins.
    /// - Returns: the change with the path of the copy.
    static func carryOut(_ change: SchemaChange, on pool: DatabasePool, backupPrefix: String) throws -> SchemaChange {
        var change = change
        guard let first = change.migrations.first else { return change }
        if !change.isFirst {
            let path = try DatabaseCopy.freePath("\(backupPrefix).before-\(first)")
            _ = try DatabaseCopy.write(from: pool, to: path)
            change.backupPath = path
        }
        try migrator().migrate(pool)
        return change
    }

    /// Gives an empty database the current schema.
    static func create(in database: some DatabaseWriter) throws { try migrator().migrate(database) }

    /// The steps applied to a database, in order.
    static func applied(_ db: Database) throws -> [String] {
        let applied = try Set(migrator().appliedIdentifiers(db))
        return migrator().migrations.filter(applied.contains)
    }

    private static func migrator() -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("0001-accounts") { db in try db.execute(sql: accounts) }
        migrator.registerMigration("0002-friendships") { db in try db.execute(sql: friendships) }
        migrator.registerMigration("0003-promises") { db in try db.execute(sql: promises) }
        migrator.registerMigration("0004-results-and-fixes") { db in try db.execute(sql: resultsAndFixes) }
        migrator.registerMigration("0005-housekeeping") { db in try db.execute(sql: housekeeping) }
        migrator.registerMigration("0006-people") { db in try db.execute(sql: people) }
        migrator.registerMigration("0007-live") { db in try db.execute(sql: live) }
        migrator.registerMigration("0008-administration") { db in try db.execute(sql: administration) }
        migrator.registerMigration("0009-links") { db in try db.execute(sql: links) }
        migrator.registerMigration("0010-tombstone-statuses") { db in try db.execute(sql: tombstoneStatuses) }
        migrator.registerMigration("0011-shown-rejections") { db in try db.execute(sql: shownRejections) }
        migrator.registerMigration("0012-nudges") { db in try db.execute(sql: nudges) }
        migrator.registerMigration("0013-nickname-skeletons") { db in
            try db.execute(sql: nicknameSkeletons)
            try NicknameSkeleton.fill(db)
        }
        migrator.registerMigration("0014-refresh-families") { db in try db.execute(sql: refreshFamilies) }
        migrator.registerMigration("0015-shares-from") { db in try db.execute(sql: sharesFrom) }
        migrator.registerMigration("0017-revoked-invites") { db in try db.execute(sql: revokedInvites) }
        migrator.registerMigration("0018-places") { db in try db.execute(sql: places) }
        migrator.registerMigration("0019-weather") { db in try db.execute(sql: weather) }
        migrator.registerMigration("0020-notifications") { db in try db.execute(sql: notifications) }
        migrator.registerMigration("0021-files") { db in try db.execute(sql: files) }
        migrator.registerMigration("0022-visits") { db in try db.execute(sql: visits) }
        migrator.registerMigration("0023-courses") { db in try db.execute(sql: courses) }
        migrator.registerMigration("0024-recordings") { db in try db.execute(sql: recordings) }
        migrator.registerMigration("0025-counts") { db in try db.execute(sql: counts) }
        return migrator
    }
}

/// The change that opening makes, or would make, to the schema.
package struct SchemaChange: Hashable, Sendable {
    /// The missing migrations, in order.
    package var migrations: [String]
    /// `true` if the database was empty: there was nothing to back up.
    package var isFirst: Bool
    /// The copy made before; nil if there was nothing to do or nothing to lose.
    package var backupPath: String?

    /// A change that has not been carried out.
    init(migrations: [String], isFirst: Bool) {
        self.migrations = migrations
        self.isFirst = isFirst
    }
}
