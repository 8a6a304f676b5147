internal import GRDB

extension Store {
    /// What opening a data directory would do to its schema; changes nothing.
    ///
    /// - Throws: ``StoreError/missing``, ``StoreError/locked``, ``StoreError/newerSchema``,
    ///   ``StoreError/fileSystem(errno:)``, ``StoreError/unavailable(code:)``.
    public static func pendingChange(directory: String) async throws(StoreError) -> SchemaChange {
        try await offPool {
            let directory = try DataDirectory(path: directory, expecting: .database)
            defer { directory.unlock() }
            let database = try DatabaseQueue(path: directory.databasePath)
            let change = try Migrations.change(of: database)
            try database.close()
            return change
        }.get()
    }

    /// Looks for damage in the file's structure, faster than ``verify()``.
    ///
    /// - Returns: at most ten sentences of SQLite; empty for a sound file.
    public func quickCheck() async throws(StoreError) -> [String] {
        try await readAtLength { db in
            try String.fetchAll(db, sql: "PRAGMA quick_check(10)").filter { $0 != "ok" }
        }
    }

    /// The names of the migrations that the database has seen, in order.
    public func appliedMigrations() async throws(StoreError) -> [String] {
        try await read { db in try Migrations.applied(db) }
    }
}
