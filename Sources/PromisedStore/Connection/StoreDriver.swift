/// The database of a ``Store``.
///
/// Calls never block a thread of the cooperative pool, and are not cancelled with their task.
protocol StoreDriver: Sendable {
    /// Runs `body` on the last committed state, possibly after other reads on the same connection: keep it short.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value

    /// Runs a long `body` on the last committed state, after other long reads.
    func readAtLength<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value

    /// Runs `body` in a savepoint of the next transaction; returns when the transaction is synced.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value

    /// Runs a long `body` in its own transaction, alternating with shared ones; returns when it is synced.
    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value

    /// Finishes the queued writes and closes; later calls throw ``StoreError/closed``. A second call does nothing.
    func close() async throws(StoreError)

    // MARK: - Deleted data

    /// Call this after a write that deleted personal data: its copies in the log must be deleted within a minute.
    func noteErasure()

    /// `true` if the log must be emptied because of deletions since the last call.
    func takeErasures() -> Bool

    /// Empties the log; returns `true` if no reader blocked it.
    func truncateLog() async throws(StoreError) -> Bool

    // MARK: - Copies and checks

    /// Copies the database into a new file; returns its size in bytes.
    ///
    /// - Parameter draft: called with the path of the file that grows until the copy is complete.
    func backUp(to path: String, draft: @escaping @Sendable (String) -> Void) async throws(StoreError) -> Int

    /// Checks the structure of the database, by far not as thoroughly as ``damages()``; one read per table. Returns the
    /// first faults; empty for an intact one. Throws ``StoreError/closed`` when the task is cancelled.
    func quickDamages() async throws(StoreError) -> [String]

    /// The faults in the structure of the database; empty for an intact one.
    func damages() async throws(StoreError) -> [String]

    /// The names of the migrations applied to the database, in order.
    func appliedMigrations() async throws(StoreError) -> [String]

    // MARK: - Sizes and times

    /// The schema change made when the database was opened.
    var schemaChange: SchemaChange { get }

    /// How many writes wait for the current transaction to end.
    var waitingWrites: Int { get async }

    /// The durations of the last transactions, from the call to the end of the sync, oldest first; at most 512.
    var commitTimes: [Duration] { get async }

    /// The size of the write-ahead log in bytes.
    var logBytes: Int { get }

    /// The size of the database in bytes, including its log.
    var fileBytes: Int { get }
}
