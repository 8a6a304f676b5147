package import PromisedDomain

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
    ) async throws(StoreError) -> Int { try await driver.backUp(to: path, draft: draft) }

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
        try await SQLiteDriver.offPool { try StoreRestoration.restore(path, into: directory) }.get()
    }

    /// The files that the database of a backup names, in the order of their ids; empty if its version had none.
    ///
    /// - Parameter path: a file that ``backUp(to:)`` wrote, of this version or an earlier one; it is not changed.
    /// - Throws: ``StoreError/notABackup``, ``StoreError/newerSchema``, ``StoreError/fileSystem(errno:)``,
    ///   ``StoreError/unavailable(code:)``.
    package static func files(ofBackup path: String) async throws(StoreError) -> [StoredFile] {
        try await SQLiteDriver.offPool {
            try StoreRestoration.read(path, with: "file") { db in
                try db.rows("SELECT * FROM file ORDER BY id").map(FileRecord.file)
            } ?? []
        }.get()
    }

    /// The schema change that opening a data directory would make; changes nothing. Throws ``StoreError/missing``,
    /// ``StoreError/locked``, ``StoreError/newerSchema``, ``StoreError/fileSystem(errno:)``,
    /// ``StoreError/unavailable(code:)``.
    package static func pendingChange(directory: String) async throws(StoreError) -> SchemaChange {
        try await SQLiteDriver.offPool { try StoreRestoration.pendingChange(directory: directory) }.get()
    }

    /// Checks the structure of the file; faster than ``verify()``, which also checks the free pages and finds pages
    /// that two tables use. Returns the first messages of SQLite; empty for an intact file. Throws
    /// ``StoreError/closed`` when the task is cancelled.
    ///
    /// One read per table, so other long reads wait for at most one table.
    package func quickCheck() async throws(StoreError) -> [String] { try await driver.quickDamages() }

    /// The names of the migrations applied to the database, in order.
    package func appliedMigrations() async throws(StoreError) -> [String] { try await driver.appliedMigrations() }
}
