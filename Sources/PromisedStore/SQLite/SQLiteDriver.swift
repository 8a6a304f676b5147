internal import Dispatch
internal import GRDB
internal import Synchronization

/// A database of SQLite in a directory of its own.
///
/// A single connection writes and checkpoints; reads use a pool of read-only connections, each seeing the last
/// committed state. Every write returns after its transaction is synced to disk (`synchronous = FULL`), and concurrent
/// writes share a transaction.
final class SQLiteDriver: StoreDriver {
    let pool: any StoreConnections
    let queue: WriteQueue
    let reads: ReadQueue
    /// Long reads, one at a time, on a reader reserved for them.
    private let longReads: ReadQueue
    let schemaChange: SchemaChange
    private let checkpointer: Checkpointer
    /// Nil for a database in memory.
    private let directory: DataDirectory?
    private let hasErased = Atomic(false)

    init(
        pool: any StoreConnections,
        checkpointer: Checkpointer,
        directory: DataDirectory?,
        schemaChange: SchemaChange,
        onCommit: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) {
        self.schemaChange = schemaChange
        self.pool = pool
        self.checkpointer = checkpointer
        self.directory = directory
        reads = ReadQueue(pool: pool, width: StoreOpening.readerCount - 1)
        longReads = ReadQueue(pool: pool, width: 1, batchLimit: 1)
        queue = WriteQueue(pool: pool, checkpointer: checkpointer, onCommit: onCommit)
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { try await reads.submit(body).get() }

    func readAtLength<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { try await longReads.submit(body).get() }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { try await queue.submit(body).get() }

    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { try await queue.submitAlone(body).get() }

    func close() async throws(StoreError) {
        guard await queue.close() else { return }
        try await SQLiteDriver.offPool { [pool, checkpointer, directory] in
            // Readers first: then no reader holds the log, and the writer is the last to release it.
            pool.releaseMemory()
            _ = try pool.writeWithoutTransaction { db in try checkpointer.truncate(on: db) }
            try pool.close()
            directory?.unlock()
        }.get()
    }

    func noteErasure() { hasErased.store(true, ordering: .relaxed) }

    func takeErasures() -> Bool { hasErased.exchange(false, ordering: .relaxed) }

    /// In the database file, SQLite overwrites deleted data (`secure_delete`), and ``CleanFile`` overwrites the copies
    /// that SQLite leaves.
    func truncateLog() async throws(StoreError) -> Bool {
        let outcome: Result<Bool, StoreError> = await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { [checkpointer] db in
                continuation.resume(returning: Result { try checkpointer.truncate(on: db) }.mapError(StoreError.init))
            }
        }
        return try outcome.get()
    }

    func backUp(to path: String, draft: @escaping @Sendable (String) -> Void) async throws(StoreError) -> Int {
        try await SQLiteDriver.offPool { [pool] in
            try DatabaseCopy.write(from: pool.reader, to: path, draft: draft)
        }.get()
    }

    func quickDamages() async throws(StoreError) -> [String] {
        let tables = try await read { db in
            try db.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", once: true)
                .map { try $0.value(0) as String }
        }
        for table in tables {
            guard !Task.isCancelled else { throw .closed }
            let damages = try await readAtLength { db in
                try db.rows("PRAGMA quick_check(\"\(table)\")", once: true).map { try $0.value(0) as String }.filter {
                    $0 != "ok"
                }
            }
            if !damages.isEmpty { return damages }
        }
        return []
    }

    func damages() async throws(StoreError) -> [String] {
        try await readAtLength { db in
            do {
                return try db.rows("PRAGMA integrity_check", once: true).map { try $0.value(0) as String }.filter {
                    $0 != "ok"
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                return ["The check itself fails: \(error.message ?? "damaged")"]
            }
        }
    }

    func appliedMigrations() async throws(StoreError) -> [String] {
        try await read { db in try SchemaMigration.applied(in: db) }
    }

    var waitingWrites: Int { get async { await queue.waitingCount } }

    var logBytes: Int { checkpointer.logBytes }

    var fileBytes: Int { (directory?.databaseBytes ?? 0) + logBytes }

    var commitTimes: [Duration] { get async { await queue.commitTimes } }

    /// Runs work that blocks on a thread outside the cooperative pool.
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
