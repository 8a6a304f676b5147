internal import GRDB

/// The steps from an empty file to today's schema.
///
/// Append-only: a step that was ever released is never edited, its name never changes, and a new one takes the next
/// number. `Golden/schema.sql` of the tests shows their sum.
enum Migrations {
    /// Runs the steps that the database has not seen; blocks the thread.
    ///
    /// - Throws: ``StoreError/newerSchema`` when it has seen one that this version does not know.
    static func bringUpToDate(_ pool: DatabasePool) throws {
        let migrator = migrator()
        guard try !pool.read(migrator.hasBeenSuperseded) else { throw StoreError.newerSchema }
        try migrator.migrate(pool)
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
        return migrator
    }
}
