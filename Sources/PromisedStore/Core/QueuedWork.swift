internal import GRDB

/// Work for one of the database's connections, run on its thread.
typealias QueuedWork = @Sendable (Database) throws -> any Sendable

typealias QueuedOutcome = Result<any Sendable, StoreError>

/// Queued work with its waiting caller.
struct WaitingWork {
    /// How the wait ends.
    enum Turn: Sendable {
        /// Another caller has done the work.
        case over(QueuedOutcome)
        /// The waiting caller does its own work and that of the callers behind it.
        case lead
    }

    let work: QueuedWork
    let continuation: CheckedContinuation<Turn, Never>
}

/// One transaction with several writes, each in its own savepoint; a single write needs none.
enum WriteBatch {
    /// Applies the writes in order and commits them together; the outcomes are in the same order.
    ///
    /// A write that throws an error of its own is rolled back alone. A failure of the disk, of memory or of the commit
    /// fails all writes with the same ``StoreError/unavailable(code:)``, and nothing is durable.
    static func commit(_ works: [QueuedWork], on db: Database) -> (outcomes: [QueuedOutcome], isDurable: Bool) {
        do {
            // The same as GRDB does, but prepared once per connection.
            try db.run("BEGIN IMMEDIATE TRANSACTION")
            if works.count == 1 { return ([try commitAlone(works[0], on: db)], true) }
            var outcomes: [QueuedOutcome] = []
            outcomes.reserveCapacity(works.count)
            for work in works { outcomes.append(try apply(work, on: db)) }
            try db.run("COMMIT TRANSACTION")
            return (outcomes, true)
        } catch {
            rollBack(db)
            return (Array(repeating: .failure(StoreError(error)), count: works.count), false)
        }
    }

    /// On failure, rolls back the whole transaction instead of a savepoint: inside a savepoint, SQLite walks its
    /// journal in memory at the end of each statement, which takes a write of a hundred thousand rows ten times as
    /// long.
    ///
    /// - Throws: only errors of the whole transaction.
    private static func commitAlone(_ work: QueuedWork, on db: Database) throws -> QueuedOutcome {
        let value: any Sendable
        do {
            value = try work(db)
        } catch {
            let error = StoreError(error)
            if error.concernsTransaction { throw error }
            try db.rollback()
            return .failure(error)
        }
        try db.run("COMMIT TRANSACTION")
        return .success(value)
    }

    /// - Throws: only errors of the whole transaction.
    private static func apply(_ work: QueuedWork, on db: Database) throws -> QueuedOutcome {
        try db.run("SAVEPOINT one_write")
        do {
            let value = try work(db)
            try db.run("RELEASE one_write")
            return .success(value)
        } catch {
            let error = StoreError(error)
            if error.concernsTransaction { throw error }
            try db.run("ROLLBACK TO one_write")
            try db.run("RELEASE one_write")
            return .failure(error)
        }
    }

    private static func rollBack(_ db: Database) {
        guard db.isInsideTransaction else { return }
        // SQLite may already have rolled back (disk full, I/O error), so a failure here is harmless.
        try? db.rollback()
    }
}
