internal import Dispatch
internal import GRDB
internal import Synchronization

/// All data of the server, in one SQLite database in a directory of its own.
///
/// One connection writes, and it alone checkpoints; reads go to a pool of read-only connections, each seeing the last
/// committed state. Every write returns after it is synced to disk (`synchronous = FULL`), and concurrent writes share
/// a transaction. All calls may come from any task; none blocks a thread of the cooperative pool, and none is cancelled
/// with its task.
///
/// Domain values go in and out; an expected refusal is a result, a ``StoreError`` is a fault.
package final class Store: Sendable {
    let pool: any StoreConnections
    let queue: WriteQueue
    let reads: ReadQueue
    /// Long reads, one at a time, on a reader that the others leave free.
    private let longReads: ReadQueue
    /// The change that opening made to the schema.
    package let schemaChange: SchemaChange
    private let checkpointer: Checkpointer
    /// Nil for a store in memory.
    private let directory: DataDirectory?
    private let hasErased = Atomic(false)
    /// An element whenever something was deleted that must be erased part by part, for one task; several may be one.
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

    /// Opens the store in `directory`, which is created (mode 0700) if missing, and migrates its schema, after a copy
    /// of the database if that holds data: see ``schemaChange``.
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
    /// ``StoreError/missing``, ``StoreError/outdatedSchema(_:)``, and as ``open(directory:onCommit:)``.
    package static func openExisting(directory: String) async throws(StoreError) -> Store {
        try await offPool { try StoreOpening.open(directory: directory, migrating: false) }.get()
    }

    /// Finishes the queued writes, moves the log into the database file, closes, and releases the directory's lock;
    /// later calls throw ``StoreError/closed``. Closing again does nothing.
    ///
    /// A store that is not closed loses nothing: the next opening recovers the log.
    package func close() async throws(StoreError) {
        guard await queue.close() else { return }
        try await Store.offPool { [pool, checkpointer, directory] in
            // Readers first, so that none holds the log back and the writer is the last to release it.
            pool.releaseMemory()
            _ = try pool.writeWithoutTransaction { db in try checkpointer.truncate(on: db) }
            try pool.close()
            directory?.unlock()
        }.get()
    }

    /// Writes a mark and syncs it, to check that durable writes work. Throws ``StoreError/unavailable(code:)``,
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

    /// Runs `body` with the last committed state, perhaps after others on the same connection: it must be short.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value { try await Store.read(body, through: reads) }

    /// Runs a long `body` with the last committed state, after other long ones.
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

    /// Runs `body` in a savepoint of the next transaction; returns when that is synced.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        guard let value = try await queue.submit(body).get() as? Value else {
            preconditionFailure("A write answers with the value its work returned")
        }
        return value
    }

    /// Runs a long `body` in a transaction of its own, in turn with those that other writes share; returns when it is
    /// synced.
    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        guard let value = try await queue.submitAlone(body).get() as? Value else {
            preconditionFailure("A write answers with the value its work returned")
        }
        return value
    }

    /// Empties the log, so that deleted data is gone from it too; returns `true` if no reader stood in the way.
    ///
    /// In the database file itself SQLite overwrites whatever is deleted (`secure_delete`), and ``CleanFile`` the copies
    /// that it leaves.
    package func truncateLog() async throws(StoreError) -> Bool {
        let outcome: Result<Bool, StoreError> = await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { [checkpointer] db in
                continuation.resume(returning: Result { try checkpointer.truncate(on: db) }.mapError(StoreError.init))
            }
        }
        return try outcome.get()
    }

    /// Call this after a write that deleted personal data. It must leave the log too, within a minute: maintenance asks
    /// by ``takeErasures()`` and empties the log.
    func noteErasure() { hasErased.store(true, ordering: .relaxed) }

    /// Wakes the task that erases.
    package func askForErasing() { erasing.yield() }

    /// `true` if the log has to be emptied because of deletions since the last call.
    package func takeErasures() -> Bool { hasErased.exchange(false, ordering: .relaxed) }

    /// How many writes wait for the present transaction to end.
    package var waitingWrites: Int { get async { await queue.waitingCount } }

    /// The size of the write-ahead log in bytes.
    package var logBytes: Int { checkpointer.logBytes }

    /// The size of the database in bytes, including its log.
    package var fileBytes: Int { (directory?.databaseBytes ?? 0) + logBytes }

    /// How long the last transactions took, from the call to the end of the sync, in order; at most 512.
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
