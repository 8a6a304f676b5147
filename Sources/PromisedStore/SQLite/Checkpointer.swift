internal import GRDB
internal import Glibc

/// Moves the write-ahead log into the database file, always on the one writer connection.
///
/// The writer never checkpoints by itself (`wal_autocheckpoint = 0`) and readers cannot, so only this type does: SQLite
/// before 3.51.3 can lose a log reset when two connections write or checkpoint at once.
struct Checkpointer: Sendable {
    let logPath: String
    /// At this size in bytes, the log is moved as soon as no write is in progress.
    var quietBytes = 4 << 20
    /// At this size in bytes, the log is moved even while writes wait.
    var busyBytes = 32 << 20

    /// Queues a checkpoint behind the writer's current writes if the log has grown enough; does not wait for it.
    ///
    /// Never waits for readers (the passive kind): pages that they still need stay in the log until the next
    /// checkpoint, so the log is bounded as long as reads are short.
    func consider(on pool: any StoreConnections, isBusy: Bool) {
        guard logBytes >= (isBusy ? busyBytes : quietBytes) else { return }
        pool.asyncWriteWithoutTransaction { db in
            // A failed checkpoint loses nothing: the log stays and the next one tries again.
            _ = try? run("PASSIVE", on: db)
        }
    }

    /// Moves the whole log into the database file and empties it. Returns `true` if the log is now empty, so that no
    /// page contains a copy of a deleted row; `false` while a reader still needs part of it.
    @discardableResult
    func truncate(on db: Database) throws -> Bool {
        guard try run("TRUNCATE", on: db) else { return false }
        // The page cache may contain copies that the file no longer has (``CleanFile``), and would write them to the
        // log.
        try db.execute(sql: "PRAGMA shrink_memory")
        return true
    }

    /// Returns `true` if no reader blocked it. Unlike the C call, the pragma is safe on a closed connection.
    private func run(_ kind: String, on db: Database) throws -> Bool {
        let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(\(kind))")
        return row?["busy"] == 0
    }

    /// The size of the log file in bytes; 0 if it does not exist.
    var logBytes: Int {
        var status = stat()
        guard stat(logPath, &status) == 0 else { return 0 }
        return Int(status.st_size)
    }
}
