internal import GRDB
internal import PromisedConcurrency

/// Work for one of the database's connections, run on its thread.
protocol QueuedWork: AnyObject, Sendable {
    /// Runs the work, and keeps its value as its outcome.
    func run(on db: SQLConnection) throws

    /// Makes a failure the outcome, even after ``run(on:)``.
    func fail(_ error: StoreError)
}

/// Work with its outcome.
final class WorkItem<Value: Sendable>: QueuedWork {
    private let body: @Sendable (SQLConnection) throws -> Value
    private let result = Guarded<Result<Value, StoreError>>(.failure(.closed))

    init(_ body: @escaping @Sendable (SQLConnection) throws -> Value) { self.body = body }

    /// The value or the failure; ``StoreError/closed`` for work that was never run.
    var outcome: Result<Value, StoreError> { result.withLock { $0 } }

    func run(on db: SQLConnection) throws {
        let value = try body(db)
        result.withLock { $0 = .success(value) }
    }

    func fail(_ error: StoreError) { result.withLock { $0 = .failure(error) } }
}

/// Queued work with its waiting caller.
struct WaitingWork {
    /// How the wait ends.
    enum Turn: Sendable {
        /// Another caller has done the work.
        case over
        /// The waiting caller does its own work and that of the callers behind it.
        case lead
    }

    let work: any QueuedWork
    let continuation: CheckedContinuation<Turn, Never>
}

/// One transaction with several writes, each in its own savepoint; a single write needs none.
enum WriteBatch {
    /// Applies the writes in order and commits them together. Returns `true` if the transaction is durable.
    ///
    /// A write that throws an error of its own is rolled back alone. A failure of the disk, of memory or of the commit
    /// fails all writes with the same ``StoreError/unavailable(code:)``, and nothing is durable.
    static func commit(_ works: [any QueuedWork], on database: Database) -> Bool {
        let db = SQLConnection(database)
        do {
            // The same as GRDB does, but prepared once per connection.
            try db.run("BEGIN IMMEDIATE TRANSACTION")
            if works.count == 1 {
                try commitAlone(works[0], on: database)
                return true
            }
            for work in works { try apply(work, on: db) }
            try db.run("COMMIT TRANSACTION")
            return true
        } catch {
            rollBack(database)
            let failure = StoreError(error)
            for work in works { work.fail(failure) }
            return false
        }
    }

    /// On failure, rolls back the whole transaction instead of a savepoint: inside a savepoint, SQLite walks its
    /// journal in memory at the end of each statement, which takes a write of a hundred thousand rows ten times as
    /// long.
    ///
    /// - Throws: only errors of the whole transaction.
    private static func commitAlone(_ work: any QueuedWork, on database: Database) throws {
        let db = SQLConnection(database)
        do {
            try work.run(on: db)
        } catch {
            let error = StoreError(error)
            if error.concernsTransaction { throw error }
            try database.rollback()
            work.fail(error)
            return
        }
        try db.run("COMMIT TRANSACTION")
    }

    /// - Throws: only errors of the whole transaction.
    private static func apply(_ work: any QueuedWork, on db: SQLConnection) throws {
        try db.run("SAVEPOINT one_write")
        do {
            try work.run(on: db)
            try db.run("RELEASE one_write")
        } catch {
            let error = StoreError(error)
            if error.concernsTransaction { throw error }
            try db.run("ROLLBACK TO one_write")
            try db.run("RELEASE one_write")
            work.fail(error)
        }
    }

    private static func rollBack(_ database: Database) {
        guard database.isInsideTransaction else { return }
        // SQLite may already have rolled back (disk full, I/O error), so a failure here is harmless.
        try? database.rollback()
    }
}
