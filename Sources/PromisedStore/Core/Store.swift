/// All data of the server, in one database.
///
/// Every write returns after its transaction is synced to disk, and concurrent writes share a transaction. Callable
/// from any task: calls never block a thread of the cooperative pool, and are not cancelled with their task.
///
/// Takes and returns domain values; an expected refusal is a result, a ``StoreError`` is a fault.
package final class Store: Sendable {
    let driver: any StoreDriver
    /// Yields after a deletion whose data must be erased in parts; read by one task. Several deletions may yield one
    /// element.
    package let erasings: AsyncStream<Void>
    private let erasing: AsyncStream<Void>.Continuation

    init(_ driver: any StoreDriver) {
        (erasings, erasing) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.driver = driver
    }

    /// Opens the store in `directory`, which is created (mode 0700) if missing, and migrates its schema, after backing
    /// up a database that has data: see ``schemaChange``.
    ///
    /// - Parameter onCommit: called for every transaction of the group commit; must return at once.
    /// - Throws: ``StoreError/locked`` while another process has it open, ``StoreError/newerSchema``,
    ///   ``StoreError/fileSystem(errno:)``, ``StoreError/unavailable(code:)``.
    package static func open(
        directory: String,
        onCommit: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) async throws(StoreError) -> Store {
        Store(
            try await SQLiteDriver.offPool {
                try StoreOpening.open(directory: directory, migrating: true, onCommit: onCommit)
            }.get()
        )
    }

    /// Opens the store in `directory`, whose schema must be current: creates and migrates nothing. Throws
    /// ``StoreError/missing``, ``StoreError/outdatedSchema(_:)``, and the errors of ``open(directory:onCommit:)``.
    package static func openExisting(directory: String) async throws(StoreError) -> Store {
        Store(
            try await SQLiteDriver.offPool { try StoreOpening.open(directory: directory, migrating: false) }.get()
        )
    }

    /// Finishes the queued writes, moves the log into the database file, closes, and releases the directory's lock;
    /// later calls throw ``StoreError/closed``. A second call does nothing.
    ///
    /// A store that was not closed loses no data: the next opening recovers the log.
    package func close() async throws(StoreError) { try await driver.close() }

    /// Writes and syncs a mark, to check that durable writes work. Throws ``StoreError/unavailable(code:)``,
    /// ``StoreError/closed``.
    package func checkWritable() async throws(StoreError) {
        try await write { db in
            try db.run(
                """
                INSERT INTO meta (key, value) VALUES ('writable-checks', '1')
                ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1
                """
            )
        }
    }

    // MARK: - For the parts

    /// Runs `body` on the last committed state, possibly after other reads on the same connection: keep it short.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { try await driver.read(body) }

    /// Runs a long `body` on the last committed state, after other long reads.
    func readAtLength<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { try await driver.readAtLength(body) }

    /// Runs `body` in a savepoint of the next transaction; returns when the transaction is synced.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { try await driver.write(body) }

    /// Runs a long `body` in its own transaction, alternating with shared ones; returns when it is synced.
    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { try await driver.writeAlone(body) }

    /// Empties the log, which removes deleted data from it; returns `true` if no reader blocked it.
    package func truncateLog() async throws(StoreError) -> Bool { try await driver.truncateLog() }

    /// Call this after a write that deleted personal data. The data must leave the log, too, within a minute:
    /// maintenance calls ``takeErasures()`` and empties the log.
    func noteErasure() { driver.noteErasure() }

    /// Wakes the task that erases.
    package func askForErasing() { erasing.yield() }

    /// `true` if the log must be emptied because of deletions since the last call.
    package func takeErasures() -> Bool { driver.takeErasures() }

    /// The schema change made when the store was opened.
    package var schemaChange: SchemaChange { driver.schemaChange }

    /// How many writes wait for the current transaction to end.
    package var waitingWrites: Int { get async { await driver.waitingWrites } }

    /// The size of the write-ahead log in bytes.
    package var logBytes: Int { driver.logBytes }

    /// The size of the database in bytes, including its log.
    package var fileBytes: Int { driver.fileBytes }

    /// The durations of the last transactions, from the call to the end of the sync, oldest first; at most 512.
    package var commitTimes: [Duration] { get async { await driver.commitTimes } }
}
