internal import GRDB

/// The connections of a store to its database: one that writes, and some that read.
///
/// A server's run on threads of their own; that of a simulation (``InlineDatabase``) runs on the calling thread.
protocol StoreConnections: Sendable {
    /// The way to copy the database.
    var reader: any DatabaseReader { get }

    /// Runs `value` with the last committed state; does not wait for it.
    func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

    /// Runs `updates` on the writing connection, after those before it and outside a transaction; does not wait for it.
    func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void)

    /// Runs `updates` on the writing connection, and waits for it.
    func writeWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value

    /// Frees the memory that nobody uses.
    func releaseMemory()

    /// Closes all connections.
    func close() throws
}

extension DatabasePool: StoreConnections {
    var reader: any DatabaseReader { self }
}
