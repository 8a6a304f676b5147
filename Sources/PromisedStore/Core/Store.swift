internal import Dispatch
internal import GRDB
internal import Synchronization

/// All data of the server, in one SQLite database in its own directory.
///
/// A single connection writes and checkpoints; reads use a pool of read-only connections, each seeing the last
/// committed state. Every write returns after its transaction is synced to disk (`synchronous = FULL`), and concurrent
/// writes share a transaction. Callable from any task: calls never block a thread of the cooperative pool, and are not
/// cancelled with their task.
///
/// Takes and returns domain values; an expected refusal is a result, a ``StoreError`` is a fault.
package final class Store: Sendable {
    let pool: any StoreConnections
    let queue: WriteQueue
    let reads: ReadQueue
    /// Long reads, one at a time, on a reader reserved for them.
    private let longReads: ReadQueue
    /// The schema change made when the store was opened.
    package let schemaChange: SchemaChange
    private let checkpointer: Checkpointer
    /// Nil for a store in memory.
    private let directory: DataDirectory?
    private let hasErased = Atomic(false)
    /// Yields after a deletion whose data must be erased in parts; read by one task. Several deletions may yield one
    /// element.
    package let erasings: AsyncStream<Void>
    private let erasing: AsyncStream<Void>.Continuation

    init(
        pool: any StoreConnections,
        checkpointer: Checkpointer,
        directory: DataDirectory?,
        schemaChange: SchemaChange,
        onCommit: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) {
        (erasings, erasing) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.schemaChange = schemaChange
        self.pool = pool
        self.checkpointer = checkpointer
        self.directory = directory
        reads = ReadQueue(pool: pool, width: StoreOpening.readerCount - 1)
        longReads = ReadQueue(pool: pool, width: 1, batchLimit: 1)
        queue = WriteQueue(pool: pool, checkpointer: checkpointer, onCommit: onCommit)
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
        try await offPool {
            try StoreOpening.open(directory: directory, migrating: true, onCommit: onCommit)
        }.get()
    }

    /// Opens the store in `directory`, whose schema must be current: creates and migrates nothing. Throws
    /// ``StoreError/missing``, ``StoreError/outdatedSchema(_:)``, and the errors of ``open(directory:onCommit:)``.
    package static func openExisting(directory: String) async throws(StoreError) -> Store {
        try await offPool { try StoreOpening.open(directory: directory, migrating: false) }.get()
    }

    /// Finishes the queued writes, moves the log into the database file, closes, and releases the directory's lock;
    /// later calls throw ``StoreError/closed``. A second call does nothing.
    ///
    /// A store that was not closed loses no data: the next opening recovers the log.
    package func close() async throws(StoreError) {
        guard await queue.close() else { return }
        try await Store.offPool { [pool, checkpointer, directory] in
            // Readers first: then no reader holds the log, and the writer is the last to release it.
            pool.releaseMemory()
            _ = try pool.writeWithoutTransaction { db in try checkpointer.truncate(on: db) }
            try pool.close()
            directory?.unlock()
        }.get()
    }

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
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value { try await Store.read(body, through: reads) }

    /// Runs a long `body` on the last committed state, after other long reads.
    func readAtLength<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value { try await Store.read(body, through: longReads) }

    private static func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value,
        through queue: ReadQueue
    ) async throws(StoreError) -> Value {
        guard let value = try await queue.submit(body).get() as? Value else {
            preconditionFailure("A read answers with the value its work returned")
        }
        return value
    }

    /// Runs `body` in a savepoint of the next transaction; returns when the transaction is synced.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        guard let value = try await queue.submit(body).get() as? Value else {
            preconditionFailure("A write answers with the value its work returned")
        }
        return value
    }

    /// Runs a long `body` in its own transaction, alternating with shared ones; returns when it is synced.
    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        guard let value = try await queue.submitAlone(body).get() as? Value else {
            preconditionFailure("A write answers with the value its work returned")
        }
        return value
    }

    /// Empties the log, which removes deleted data from it; returns `true` if no reader blocked it.
    ///
    /// In the database file, SQLite overwrites deleted data (`secure_delete`), and ``CleanFile`` overwrites the copies
    /// that SQLite leaves.
    package func truncateLog() async throws(StoreError) -> Bool {
        let outcome: Result<Bool, StoreError> = await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { [checkpointer] db in
                continuation.resume(returning: Result { try checkpointer.truncate(on: db) }.mapError(StoreError.init))
            }
        }
        return try outcome.get()
    }

    /// Call this after a write that deleted personal data. The data must leave the log, too, within a minute:
    /// maintenance calls ``takeErasures()`` and empties the log.
    func noteErasure() { hasErased.store(true, ordering: .relaxed) }

    /// Wakes the task that erases.
    package func askForErasing() { erasing.yield() }

    /// `true` if the log must be emptied because of deletions since the last call.
    package func takeErasures() -> Bool { hasErased.exchange(false, ordering: .relaxed) }

    /// How many writes wait for the current transaction to end.
    package var waitingWrites: Int { get async { await queue.waitingCount } }

    /// The size of the write-ahead log in bytes.
    package var logBytes: Int { checkpointer.logBytes }

    /// The size of the database in bytes, including its log.
    package var fileBytes: Int { (directory?.databaseBytes ?? 0) + logBytes }

    /// The durations of the last transactions, from the call to the end of the sync, oldest first; at most 512.
    package var commitTimes: [Duration] { get async { await queue.commitTimes } }

    static func offPool<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async -> Result<Value, StoreError> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { try body() }.mapError(StoreError.init))
            }
        }
    }
}
