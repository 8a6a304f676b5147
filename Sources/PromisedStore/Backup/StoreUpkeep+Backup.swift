extension StoreUpkeep {
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

    /// Checks the structure of the file; faster than ``verify()``, which also checks the free pages and finds pages
    /// that two tables use. Returns the first messages of SQLite; empty for an intact file. Throws
    /// ``StoreError/closed`` when the task is cancelled.
    ///
    /// One read per table, so other long reads wait for at most one table.
    package func quickCheck() async throws(StoreError) -> [String] { try await driver.quickDamages() }

    /// The names of the migrations applied to the database, in order.
    package func appliedMigrations() async throws(StoreError) -> [String] { try await driver.appliedMigrations() }
}
