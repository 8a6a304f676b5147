package import GRDB
package import PromisedJournal

/// The driver of a store without a data directory, on connections of another kind. Nothing moves a log or locks a file
/// for it.
package struct MemoryDriver: Sendable {
    let driver: SQLiteDriver

    /// - Parameters:
    ///   - connections: lead to a database with the current schema: see ``create(in:secret:)``.
    ///   - isNew: `true` if the database was created for this store.
    ///   - onCommit: called for every transaction of the group commit; must return at once.
    package init(
        on connections: any StoreConnections,
        isNew: Bool,
        onCommit: @escaping @Sendable (CommitReport) -> Void
    ) {
        driver = SQLiteDriver(
            pool: connections,
            checkpointer: Checkpointer(logPath: ""),
            directory: nil,
            schemaChange: SchemaChange(migrations: [], isFirst: isNew),
            onCommit: onCommit
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
