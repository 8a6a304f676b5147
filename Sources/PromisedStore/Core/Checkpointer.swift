internal import GRDB
internal import Glibc

/// Moves the write-ahead log into the database file, always on the one writer connection.
///
/// The writer never checkpoints by itself (`wal_autocheckpoint = 0`) and readers cannot, so only this type does: SQLite
/// before 3.51.3 can lose a log reset when two connections write or checkpoint at once.
struct Checkpointer: Sendable {
    let logPath: String
    /// From this size on, in bytes, the log is moved in the next quiet moment.
    var quietBytes = 4 << 20
    /// From this size on, in bytes, the log is moved even while writes wait.
    var busyBytes = 32 << 20

    /// Queues a checkpoint behind the writer's present writes if the log has grown enough; does not wait for it.
    ///
    /// Never waits for readers (the passive kind): what they still need stays in the log until the next time, so the
    /// log is bounded as long as reads are short.
    func consider(on pool: any StoreConnections, isBusy: Bool) {
        guard logBytes >= (isBusy ? busyBytes : quietBytes) else { return }
        pool.asyncWriteWithoutTransaction { db in
            // A failed checkpoint loses nothing: the log stays and the next one tries again.
            _ = try? run("PASSIVE", on: db)
        }
    }

    /// Moves all of the log into the database file and empties it. Returns `true` if it is empty now, and then no page
    /// has a copy of a deleted row; false while a reader still needs some of it.
    @discardableResult
    func truncate(on db: Database) throws -> Bool {
        guard try run("TRUNCATE", on: db) else { return false }
        // Pages in memory may have copies that the file no longer has (``CleanFile``), and would bring them into the log.
        try db.execute(sql: "PRAGMA shrink_memory")
        return true
    }

    /// Returns `true` if no reader stood in the way. The pragma, unlike the C call, may meet a closed connection.
    private func run(_ kind: String, on db: Database) throws -> Bool {
        let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(\(kind))")
        return try row?.value("busy") == 0
    }

    /// The size of the log file in bytes; 0 when there is none.
    var logBytes: Int {
        var status = stat()
        guard stat(logPath, &status) == 0 else { return 0 }
        return Int(status.st_size)
    }
}
