internal import Dispatch
internal import GRDB

/// Opens the database: locks the directory, configures the connections, migrates the schema.
enum StoreOpening {
    static let readerCount = 4
    private static let readerCacheKiB = 256
    /// The writer's cache, in KiB. The writer works in batches and reads little; larger transactions spill into the
    /// log.
    private static let writerCacheKiB = 512

    /// Opens the database; blocks the thread.
    ///
    /// - Parameters:
    ///   - migrating: `true` to migrate the schema, after a backup; otherwise the schema must be current.
    ///   - onCommit: called for every transaction of the group commit.
    static func open(
        directory path: String,
        migrating: Bool,
        onCommit: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) throws -> SQLiteDriver {
        let directory = try DataDirectory(path: path, expecting: migrating ? .anything : .database)
        let pool = try DatabasePool(path: directory.databasePath, configuration: configuration())
        let checkpointer = Checkpointer(logPath: directory.logPath)
        try pool.writeWithoutTransaction { db in try prepareWriter(db, checkpointer) }
        let change = try SchemaMigration.change(of: pool)
        guard migrating || change.migrations.isEmpty else { throw StoreError.outdatedSchema(change.migrations) }
        let done = try SchemaMigration.carryOut(change, on: pool, backupPrefix: directory.databasePath)
        return SQLiteDriver(
            pool: pool,
            checkpointer: checkpointer,
            directory: directory,
            schemaChange: done,
            onCommit: onCommit
        )
    }

    // GRDB opens the pool's readers with SQLITE_OPEN_READONLY; `query_only` also rejects writes above SQLite's file
    // layer. GRDB's observers are not used.
    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.label = "promised.store"
        configuration.maximumReaderCount = readerCount
        configuration.foreignKeysEnabled = true
        configuration.allowsUnsafeTransactions = true
        // This is the only writer; it waits only for readers, when it empties the log.
        configuration.busyMode = .timeout(0.25)
        configuration.prepareDatabase { db in
            guard db.configuration.readonly else { return }
            // Each reader has its own page cache, and the system caches all pages.
            try db.execute(sql: "PRAGMA query_only = ON; PRAGMA cache_size = -\(readerCacheKiB)")
        }
        return configuration
    }

    // After the pool is open: GRDB sets `synchronous = NORMAL` when it switches to WAL.
    private static func prepareWriter(_ db: Database, _ checkpointer: Checkpointer) throws {
        try db.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA wal_autocheckpoint = 0;
                PRAGMA journal_size_limit = 1048576;
                PRAGMA secure_delete = ON;
                PRAGMA temp_store = MEMORY;
                PRAGMA cache_size = -\(writerCacheKiB);
                """
        )
        try CleanFile.keep(by: db)
        // Moves what a crash left in the log.
        try checkpointer.truncate(on: db)
    }
}
