internal import GRDB
internal import Glibc

/// Work on a data directory or a backup that no server uses; blocks the thread.
enum StoreRestoration {
    /// Puts a backup into a data directory without a database, with a new epoch for each promise.
    static func restore(_ path: String, into directory: String) throws -> Int {
        let backup = try open(path)
        let target = try DataDirectory(path: directory, expecting: .noDatabase)
        defer { target.unlock() }
        return try DatabaseCopy.write(from: backup, to: target.databasePath) { db in
            try db.execute(sql: "UPDATE promise SET epoch = lower(hex(randomblob(16)))")
        }
    }

    /// Reads from a backup; returns nil, without calling `body`, if its version had no such table.
    static func read<Value>(
        _ path: String,
        with table: String,
        _ body: (SQLConnection) throws -> Value
    ) throws -> Value? {
        try open(path).read { db in try db.tableExists(table) ? body(SQLConnection(db)) : nil }
    }

    /// The schema change that opening a data directory would make; changes nothing.
    static func pendingChange(directory: String) throws -> SchemaChange {
        let directory = try DataDirectory(path: directory, expecting: .database)
        defer { directory.unlock() }
        let database = try DatabaseQueue(path: directory.databasePath)
        // The last connection that closes moves the log into the file.
        try database.writeWithoutTransaction(CleanFile.keep)
        let change = try SchemaMigration.change(of: database)
        try database.close()
        return change
    }

    /// The backup, opened and checked.
    private static func open(_ path: String) throws -> DatabaseQueue {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let backup = try DatabaseQueue(path: path, configuration: configuration)
            try backup.read(check)
            _ = try SchemaMigration.change(of: backup)
            return backup
        } catch let error as DatabaseError where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode) {
            throw StoreError.notABackup
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            throw StoreError.fileSystem(errno: ENOENT)
        }
    }

    private static func check(_ db: Database) throws {
        guard try db.tableExists("promise"), try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"] else {
            throw StoreError.notABackup
        }
    }
}
