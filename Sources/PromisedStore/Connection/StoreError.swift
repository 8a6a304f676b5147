internal import Glibc

/// Why a call of the store failed. Expected outcomes ("taken", "unknown", "refused") are results instead.
package enum StoreError: Error, Hashable, Sendable {
    /// Another process (or another ``Store`` of this one) holds the data directory.
    case locked
    case closed
    /// A later version of the product wrote this database.
    case newerSchema
    /// The database lacks these migrations, and the call must not change it.
    case outdatedSchema([String])
    /// The data directory has no database.
    case missing
    /// The data directory already has a database.
    case occupied
    /// The file is not an intact backup of a database of this product.
    case notABackup
    /// The data directory cannot be created or used; the number is an `errno`.
    case fileSystem(errno: Int32)
    /// Users other than its owner can write to the data directory, which has this mode.
    case openToOthers(mode: Int)
    /// SQLite failed (disk full, I/O error, …); the number is its extended result code. Nothing was written; the call
    /// may be retried.
    case unavailable(code: Int32)
    /// The promise is owned by a newer activation: this session must end. Nothing was written.
    case fenced
    /// No promise has this id.
    case unknownPromise
    /// The call would break an invariant (a gap in the events, a second result). Nothing was written.
    case broken(String)
    /// A stored value cannot be read.
    case damaged(String)

    /// `true` if a retry may succeed, because the cause was the disk, the file or another process.
    package var isTransient: Bool {
        switch self {
        case .unavailable: !isFileDamaged
        case .closed, .locked, .fileSystem, .openToOthers: true
        case .newerSchema, .outdatedSchema, .missing, .occupied, .notABackup, .fenced, .unknownPromise, .broken,
            .damaged:
            false
        }
    }

    /// `true` if SQLite found that the file is damaged or not a database.
    package var isFileDamaged: Bool {
        // The low byte of an extended code of SQLite is the primary code: SQLITE_CORRUPT, SQLITE_NOTADB.
        if case .unavailable(let code) = self { code & 0xff == 11 || code & 0xff == 26 } else { false }
    }

    /// `true` if the disk of the data directory is full.
    package var isDiskFull: Bool {
        switch self {
        // The low byte of an extended code of SQLite is the primary code; 13 is SQLITE_FULL.
        case .unavailable(let code): code & 0xff == 13
        case .fileSystem(let number): number == ENOSPC
        case .closed, .locked, .openToOthers, .newerSchema, .outdatedSchema, .missing, .occupied, .notABackup, .fenced,
            .unknownPromise, .broken, .damaged:
            false
        }
    }

    /// `true` if the error concerns the whole transaction (disk, memory, file), not only the write in which it
    /// occurred.
    var concernsTransaction: Bool {
        switch self {
        case .unavailable: true
        case .locked, .closed, .newerSchema, .outdatedSchema, .missing, .occupied, .notABackup, .fileSystem,
            .openToOthers,
            .fenced, .unknownPromise, .broken, .damaged:
            false
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// A sentence for logs, without users' data.
    package var description: String {
        switch self {
        case .locked: "another server is using the data directory"
        case .closed: "the store is closed"
        case .newerSchema: "the database belongs to a later version"
        case .outdatedSchema(let pending): "the database needs the migrations \(pending.joined(separator: ", "))"
        case .missing: "the data directory has no database"
        case .occupied: "the data directory already has a database"
        case .notABackup: "the file is not an intact backup of promised"
        case .fileSystem(let errno): "\(String(cString: strerror(errno))) (errno \(errno))"
        case .openToOthers(let mode):
            "users other than its owner can write to it (mode \(String(mode, radix: 8))); run chmod go-w"
        case .unavailable(let code):
            "the database is unavailable (SQLite code \(code)\(cause))"
        case .fenced: "the promise is owned by a newer session"
        case .unknownPromise: "the promise does not exist"
        case .broken(let what): "the write violates an invariant: \(what)"
        case .damaged(let what): "the data is damaged: \(what)"
        }
    }

    /// The cause of an SQLite code, for operators; empty if the code is self-explanatory.
    private var cause: String {
        if isDiskFull { return ": the disk is full" }
        return isFileDamaged ? ": the file is damaged; restore a backup" : ""
    }
}
