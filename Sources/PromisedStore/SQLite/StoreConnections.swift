package import GRDB

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
