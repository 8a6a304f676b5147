internal import GRDB
internal import PromisedJournal
internal import PromisedStore
internal import Synchronization

/// A database in memory that runs all work on the calling thread and nothing concurrently; for simulations.
final class InlineDatabase: StoreConnections {
    private let connection: Mutex<(queue: DatabaseQueue, isOpen: Bool)>
    private let disk: SimulatedDisk
    private let observer: DiskObserver

    /// The connection; after the end, one on which every statement fails.
    var queue: DatabaseQueue { connection.withLock { $0.queue } }

    var reader: any DatabaseReader { queue }

    /// The content of an image, on its connection; without an image, an empty database with the current schema.
    ///
    /// - Parameter disk: schedules the work and injects faults.
    init(_ image: DatabaseImage?, disk: SimulatedDisk) throws {
        let queue = try image?.queue ?? InlineDatabase.empty()
        connection = Mutex((queue, isOpen: true))
        self.disk = disk
        observer = DiskObserver(disk: disk)
        queue.add(transactionObserver: observer, extent: .databaseLifetime)
    }

    /// A connection to a database without content.
    static func bare() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "promised.simulation"
        configuration.foreignKeysEnabled = true
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(configuration: configuration)
    }

    private static func empty() throws -> DatabaseQueue {
        let queue = try bare()
        // The same secret in each run, so that runs are repeatable.
        try MemoryDriver.create(in: queue, secret: EndsSecret(first: 1, second: 2))
        return queue
    }

    func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
        disk.run(isWrite: false) { [self] in queue.unsafeRead { db in value(.success(db)) } }
    }

    func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void) {
        disk.run(isWrite: true) { [self] in
            let (queue, isOpen) = connection.withLock { $0 }
            queue.writeWithoutTransaction { db in
                // A closed connection needs no observer.
                let wear = isOpen ? disk.wear : (mayStop: false, isFull: false)
                // Observers cost time, so a write has one only while it may fail.
                if wear.mayStop { db.trace { [disk] _ in if disk.stopsAtStatement() { queue.interrupt() } } }
                if wear.isFull { limitPages(of: db) }
                updates(db)
                if wear.mayStop { db.trace(nil) }
                if wear.isFull { setPages(of: db, to: 1_073_741_823) }
            }
        }
    }

    func writeWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value {
        try queue.writeWithoutTransaction(updates)
    }

    /// From now on, a statement that needs another page fails with `SQLITE_FULL`.
    private func limitPages(of db: Database) {
        guard let pages = try? Int.fetchOne(db, sql: "PRAGMA page_count") else { return }
        setPages(of: db, to: pages)
    }

    private func setPages(of db: Database, to pages: Int) {
        // Fails only if memory is short; then there is no limit.
        _ = try? Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages)")
    }

    func releaseMemory() { queue.releaseMemory() }

    func close() throws { _ = try end() }

    /// Ends all use of the database: from now on every statement fails.
    ///
    /// - Returns: the connection, with the committed data.
    func end() throws -> DatabaseQueue {
        let closed = try DatabaseQueue()
        try closed.close()
        let ended = connection.withLock { connection in
            defer { connection = (closed, isOpen: false) }
            return connection.queue
        }
        ended.remove(transactionObserver: observer)
        return ended
    }
}

/// Fails transactions at their commit, and records which tables they change.
private final class DiskObserver: TransactionObserver, Sendable {
    private let disk: SimulatedDisk

    init(disk: SimulatedDisk) { self.disk = disk }

    // SQLite reports no rows of tables without row ids, but GRDB asks for the tables of each statement.
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        disk.noteTouched(eventKind.tableName)
        return false
    }

    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { disk.noteCommit() }
    func databaseDidRollback(_ db: Database) { disk.noteRollback() }

    func databaseWillCommit() throws {
        switch disk.next() {
        case .broken: throw DatabaseError(resultCode: .SQLITE_IOERR)
        case .full: throw DatabaseError(resultCode: .SQLITE_FULL)
        case nil: break
        }
    }
}
