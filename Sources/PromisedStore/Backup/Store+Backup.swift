internal import GRDB
internal import Glibc
package import PromisedJournal

extension Store {
    /// Copies the database into a new file (mode 0600) while it is in use, with SQLite's online backup: it contains
    /// every write acknowledged before the call, but not the positions in a ``FixBuffer``: flush it first.
    ///
    /// Reads everything, as of one moment; other calls proceed meanwhile, but the log grows until it ends.
    ///
    /// - Parameters:
    ///   - path: an unused path in an existing folder.
    ///   - draft: called with the path of the file that grows until the copy is complete.
    /// - Returns: the size in bytes.
    /// - Throws: ``StoreError/fileSystem(errno:)`` (`EEXIST` if the path is taken), ``StoreError/unavailable(code:)``.
    package func backUp(
        to path: String,
        draft: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(StoreError) -> Int {
        try await Store.offPool { [pool] in
            try DatabaseCopy.write(from: pool.reader, to: path, draft: draft)
        }.get()
    }

    /// Puts a backup into a data directory without a database, as the state from which a server starts.
    ///
    /// Every promise's event numbering gets a new epoch: clients that have seen later events than the backup holds must
    /// not resume from them. Everything else is unchanged, including data revoked or deleted since.
    ///
    /// - Parameters:
    ///   - path: a file that ``backUp(to:)`` wrote, of this version or an earlier one; it is not changed.
    ///   - directory: created (mode 0700) if missing.
    /// - Returns: the size of the database in bytes.
    /// - Throws: ``StoreError/occupied``, ``StoreError/locked``, ``StoreError/notABackup``, ``StoreError/newerSchema``,
    ///   ``StoreError/fileSystem(errno:)``, ``StoreError/unavailable(code:)``.
    package static func restore(_ path: String, into directory: String) async throws(StoreError) -> Int {
        try await offPool { try StoreRestoration.restore(path, into: directory) }.get()
    }

    /// The files that the database of a backup names, in the order of their ids; empty if its version had none.
    ///
    /// - Parameter path: a file that ``backUp(to:)`` wrote, of this version or an earlier one; it is not changed.
    /// - Throws: ``StoreError/notABackup``, ``StoreError/newerSchema``, ``StoreError/fileSystem(errno:)``,
    ///   ``StoreError/unavailable(code:)``.
    package static func files(ofBackup path: String) async throws(StoreError) -> [StoredFile] {
        try await offPool { try StoreRestoration.files(of: path) }.get()
    }

    /// The schema change that opening a data directory would make; changes nothing. Throws ``StoreError/missing``,
    /// ``StoreError/locked``, ``StoreError/newerSchema``, ``StoreError/fileSystem(errno:)``,
    /// ``StoreError/unavailable(code:)``.
    package static func pendingChange(directory: String) async throws(StoreError) -> SchemaChange {
        try await offPool {
            let directory = try DataDirectory(path: directory, expecting: .database)
            defer { directory.unlock() }
            let database = try DatabaseQueue(path: directory.databasePath)
            // The last connection that closes moves the log into the file.
            try database.writeWithoutTransaction(CleanFile.keep)
            let change = try Migrations.change(of: database)
            try database.close()
            return change
        }.get()
    }

    /// Checks the structure of the file; faster than ``verify()``, which also checks the free pages and finds pages
    /// that two tables use. Returns the first messages of SQLite; empty for an intact file. Throws
    /// ``StoreError/closed`` when the task is cancelled.
    ///
    /// One read per table, so other long reads wait for at most one table.
    package func quickCheck() async throws(StoreError) -> [String] {
        let tables = try await read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        }
        for table in tables {
            guard !Task.isCancelled else { throw .closed }
            let damages = try await readAtLength { db in
                try String.fetchAll(db, sql: "PRAGMA quick_check(\"\(table)\")").filter { $0 != "ok" }
            }
            if !damages.isEmpty { return damages }
        }
        return []
    }

    /// The names of the migrations applied to the database, in order.
    package func appliedMigrations() async throws(StoreError) -> [String] {
        try await read { db in try Migrations.applied(db) }
    }
}

/// The steps of ``Store/restore(_:into:)`` and ``Store/files(ofBackup:)``; blocks the thread.
enum StoreRestoration {
    static func restore(_ path: String, into directory: String) throws -> Int {
        let backup = try open(path)
        let target = try DataDirectory(path: directory, expecting: .noDatabase)
        defer { target.unlock() }
        return try DatabaseCopy.write(from: backup, to: target.databasePath) { db in
            try db.execute(sql: "UPDATE promise SET epoch = lower(hex(randomblob(16)))")
        }
    }

    static func files(of path: String) throws -> [StoredFile] {
        try open(path).read { db in
            guard try db.tableExists("file") else { return [] }
            return try db.rows("SELECT * FROM file ORDER BY id").map(FileRecord.file)
        }
    }

    /// The backup, opened and checked.
    private static func open(_ path: String) throws -> DatabaseQueue {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let backup = try DatabaseQueue(path: path, configuration: configuration)
            try backup.read(check)
            _ = try Migrations.change(of: backup)
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
