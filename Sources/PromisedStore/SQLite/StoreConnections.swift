package import GRDB
package import PromisedJournal

/// The connections of a store to its database: one that writes, and some that read.
///
/// In a server they run on their own threads; in a simulation on the calling thread.
package protocol StoreConnections: Sendable {
    /// The reader from which to copy the database.
    var reader: any DatabaseReader { get }

    /// Runs `value` on the last committed state; returns at once.
    func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

    /// Runs `updates` on the writing connection, after the queued calls and outside a transaction; returns at once.
    func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void)

    /// Runs `updates` on the writing connection and waits for it.
    func writeWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value

    /// Frees unused memory.
    func releaseMemory()

    func close() throws
}

extension DatabasePool: StoreConnections {
    package var reader: any DatabaseReader { self }
}

/// A store without a data directory, on connections of another kind. Nothing moves a log or locks a file for it.
package enum MemoryStore {
    /// Opens the store.
    ///
    /// - Parameters:
    ///   - connections: lead to a database with the current schema: see ``create(in:secret:)``.
    ///   - isNew: `true` if the database was created for this store.
    ///   - onCommit: called for every transaction of the group commit; must return at once.
    package static func open(
        on connections: any StoreConnections,
        isNew: Bool,
        onCommit: @escaping @Sendable (CommitReport) -> Void
    ) -> Store {
        Store(
            SQLiteDriver(
                pool: connections,
                checkpointer: Checkpointer(logPath: ""),
                directory: nil,
                schemaChange: SchemaChange(migrations: [], isFirst: isNew),
                onCommit: onCommit
            )
        )
    }

    /// Creates the current schema in an empty database.
    ///
    /// - Parameter secret: the server's secret for hidden ends, which is random otherwise.
    package static func create(in database: some DatabaseWriter, secret: EndsSecret) throws {
        try SchemaMigration.create(in: database)
        try database.write { db in try EndsSecretRecord.replace(by: secret, in: SQLConnection(db)) }
    }
}
