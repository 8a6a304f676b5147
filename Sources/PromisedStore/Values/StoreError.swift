internal import GRDB
internal import Glibc

/// Why the store could not do what it was asked. Expected answers ("taken", "unknown", "refused") are results instead.
package enum StoreError: Error, Hashable, Sendable {
    /// Another process (or another ``Store`` of this one) holds the data directory.
    case locked
    /// The store was closed.
    case closed
    /// A later version of the product wrote this database.
    case newerSchema
    /// The database lacks these migrations, and the call must not change it.
    case outdatedSchema([String])
    /// The data directory has no database.
    case missing
    /// The data directory has a database already.
    case occupied
    /// The file is not an intact backup of a database of this product.
    case notABackup
    /// The data directory cannot be created or used; the number is an `errno`.
    case fileSystem(errno: Int32)
    /// Other users than its owner can write to the data directory, which has this mode.
    case openToOthers(mode: Int)
    /// SQLite could not do its work (disk full, I/O error, …); the number is its extended result code. Nothing was
    /// written; the call may be retried.
    case unavailable(code: Int32)
    /// The promise is owned by a newer activation: this session must end. Nothing was written.
    case fenced
    /// No promise has this id.
    case unknownPromise
    /// The call would break an invariant (a gap in the events, a second result). Nothing was written.
    case broken(String)
    /// A stored value cannot be read.
    case damaged(String)

    /// The same failure as a store error.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT:
            self = .broken(error.message ?? "A constraint of the schema")
        // GRDB's error for a closed connection; nothing else here can misuse the library.
        case let error as DatabaseError where error.resultCode == .SQLITE_MISUSE: self = .closed
        case let error as DatabaseError: self = .unavailable(code: error.extendedResultCode.rawValue)
        case is RowDecodingError: self = .damaged("A row that does not match its table")
        default: self = .broken("\(type(of: error))")
        }
    }

    /// `true` if the same call may succeed later, because the disk, the file or another process was the obstacle.
    package var isTransient: Bool {
        switch self {
        case .unavailable: !isFileDamaged
        case .closed, .locked, .fileSystem, .openToOthers: true
        case .newerSchema, .outdatedSchema, .missing, .occupied, .notABackup, .fenced, .unknownPromise, .broken,
            .damaged:
            false
        }
    }

    /// `true` if SQLite has found that the database file is damaged, or no database.
    package var isFileDamaged: Bool {
        // An extended code of SQLite holds the primary one in its low byte: SQLITE_CORRUPT, SQLITE_NOTADB.
        if case .unavailable(let code) = self { code & 0xff == 11 || code & 0xff == 26 } else { false }
    }

    /// `true` if the disk of the data directory is full.
    package var isDiskFull: Bool {
        switch self {
        // An extended code of SQLite holds the primary one in its low byte; 13 is SQLITE_FULL.
        case .unavailable(let code): code & 0xff == 13
        case .fileSystem(let number): number == ENOSPC
        case .closed, .locked, .openToOthers, .newerSchema, .outdatedSchema, .missing, .occupied, .notABackup, .fenced,
            .unknownPromise, .broken, .damaged:
            false
        }
    }

    /// `true` if it concerns the whole transaction, not only the write that met it: the disk, the memory, the file.
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
    /// A sentence for logs; holds no user's data.
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

    /// The cause of an SQLite code, for operators; empty if the code says enough.
    private var cause: String {
        if isDiskFull { return ": the disk is full" }
        return isFileDamaged ? ": the file is damaged; restore a backup" : ""
    }
}
