internal import GRDB
internal import Glibc

/// Copies a database into a new file, which is complete without any other.
enum DatabaseCopy {
    /// Copies all that is committed, as of one moment; blocks the thread. Writes to the source go on meanwhile: the copy
    /// is read through a connection that only reads, in one step.
    ///
    /// - Parameters:
    ///   - path: where nothing is yet.
    ///   - change: what is done to the copy before it appears, in one transaction.
    /// - Returns: its size in bytes.
    /// - Throws: ``StoreError/fileSystem(errno:)``, and what SQLite reports.
    static func write(
        from source: some DatabaseReader,
        to path: String,
        change: ((Database) throws -> Void)? = nil
    ) throws -> Int {
        let file = try NewFile(path: path)
        let copy = try DatabaseQueue(path: file.draftPath)
        do {
            try source.backup(to: copy)
            // The copy says of itself that it has a log; without one it is a single file, and readable wherever it lies.
            try copy.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
            if let change { try copy.write(change) }
            try copy.close()
        } catch {
            // The first failure is the one to tell; the draft goes with `file`.
            try? copy.close()
            throw error
        }
        return try file.publish()
    }

    /// The first of `path`, `path.2`, `path.3`, … at which nothing is.
    static func freePath(_ path: String) throws -> String {
        let candidates = [path] + (2...99).map { "\(path).\($0)" }
        guard let free = candidates.first(where: { access($0, F_OK) != 0 }) else {
            throw StoreError.fileSystem(errno: EEXIST)
        }
        return free
    }
}
