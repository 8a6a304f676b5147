internal import GRDB
internal import Synchronization

/// A database in memory whose work runs on the calling thread, so that nothing happens beside the caller; for
/// simulations.
final class InlineDatabase: StoreConnections {
    let queue: DatabaseQueue
    private let disk: SimulatedDisk
    private let isOpen = Mutex(true)

    var reader: any DatabaseReader { queue }

    /// The content of an image; an empty database of the current schema if there is none.
    ///
    /// - Parameter disk: runs the work, and fails chosen transactions.
    init(_ image: DatabaseImage?, disk: SimulatedDisk) throws {
        var configuration = Configuration()
        configuration.label = "promised.simulation"
        configuration.foreignKeysEnabled = true
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(configuration: configuration)
        self.disk = disk
        if let image { try image.queue.backup(to: queue) } else { try Migrations.create(in: queue) }
        queue.add(transactionObserver: DiskObserver(disk: disk), extent: .databaseLifetime)
    }

    func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
        // On a closed connection each statement fails.
        disk.run(isWrite: false) { [queue] in queue.unsafeRead { db in value(.success(db)) } }
    }

    func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void) {
        disk.run(isWrite: true) { [self] in
            queue.writeWithoutTransaction { db in
                // A closed connection has nothing to observe; each statement fails.
                let wear = isOpen.withLock { $0 } ? disk.wear : (mayStop: false, isFull: false)
                // Observers cost time, so each write has one only while it may fail.
                if wear.mayStop { db.trace { [self] _ in if disk.stopsAtStatement() { queue.interrupt() } } }
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

    /// From now on a statement that needs another page fails with `SQLITE_FULL`.
    private func limitPages(of db: Database) {
        guard let pages = try? Int.fetchOne(db, sql: "PRAGMA page_count") else { return }
        setPages(of: db, to: pages)
    }

    private func setPages(of db: Database, to pages: Int) {
        // Fails only if memory is short, and then nothing is limited.
        _ = try? Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages)")
    }

    func releaseMemory() { queue.releaseMemory() }

    func close() throws {
        isOpen.withLock { $0 = false }
        try queue.close()
    }
}

/// Fails transactions when they are committed, and notes what they change.
private final class DiskObserver: TransactionObserver {
    private let disk: SimulatedDisk

    init(disk: SimulatedDisk) { self.disk = disk }

    // SQLite tells of no rows of tables without row ids, but GRDB asks about the tables of each statement.
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
