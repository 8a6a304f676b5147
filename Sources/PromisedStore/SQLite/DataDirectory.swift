internal import Foundation
internal import Glibc

/// The data directory of one server, locked as long as this object lives or until ``unlock()``.
///
/// The lock is an OS lock (`flock`) on the file `lock`: it ends with the process in any case, and belongs to the open
/// file, so even the same process cannot lock it twice.
final class DataDirectory: Sendable {
    let databasePath: String
    /// The path of the write-ahead log, which SQLite names.
    let logPath: String
    private let descriptor: Int32

    /// The expected content of the directory.
    enum Expectation {
        /// Anything; creates directory and database file if they are missing.
        case anything
        /// A database; creates nothing.
        case database
        /// No database; creates the directory if it is missing.
        case noDatabase
    }

    /// Locks a directory. Creates the directory with mode 0700 and the database file with mode 0600; SQLite creates the
    /// files beside it with the same mode.
    ///
    /// Blocks on file system calls. Throws ``StoreError/locked``, ``StoreError/missing``, ``StoreError/occupied``,
    /// ``StoreError/openToOthers(mode:)``, ``StoreError/fileSystem(errno:)``.
    init(path: String, expecting expectation: Expectation = .anything) throws(StoreError) {
        databasePath = path + "/promised.sqlite"
        logPath = databasePath + "-wal"
        // Checked before anything is created, so that a mistyped path creates nothing.
        if expectation == .database, access(databasePath, F_OK) != 0 { throw .missing }
        try DataDirectory.make(path)
        try DataDirectory.requireOwnersAlone(path)
        descriptor = try DataDirectory.takeLock(path + "/lock")
        DataDirectory.removeDrafts(in: path)
        switch expectation {
        case .anything: try DataDirectory.touch(databasePath)
        case .database: break
        case .noDatabase:
            guard access(databasePath, F_OK) != 0 else {
                _ = close(descriptor)
                throw .occupied
            }
        }
    }

    deinit { _ = close(descriptor) }

    /// Releases the lock; the database must be closed.
    func unlock() {
        // The descriptor is open as long as this object lives, so unlocking cannot fail.
        _ = flock(descriptor, LOCK_UN)
    }

    /// The size of the database file in bytes; 0 if it can't be read.
    var databaseBytes: Int {
        var status = stat()
        return stat(databasePath, &status) == 0 ? Int(status.st_size) : 0
    }

    private static func make(_ path: String) throws(StoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            // An existing directory is not an error, so EEXIST means that a file of another type exists.
            let code = underlyingCode(error)
            throw .fileSystem(errno: code == EEXIST ? ENOTDIR : code)
        }
    }

    /// Any other user with write access to the directory could replace the database or the key.
    private static func requireOwnersAlone(_ path: String) throws(StoreError) {
        let attributes: [FileAttributeKey: Any]
        do {
            let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            attributes = try FileManager.default.attributesOfItem(atPath: target)
        } catch {
            throw .fileSystem(errno: underlyingCode(error))
        }
        // Foundation does not always report that the path is not a directory.
        guard attributes[.type] as? FileAttributeType == .typeDirectory else { throw .fileSystem(errno: ENOTDIR) }
        let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard mode & 0o022 == 0 else { throw .openToOthers(mode: mode & 0o7777) }
    }

    private static func underlyingCode(_ error: any Error) -> Int32 {
        let error = error as NSError
        if let cause = error.userInfo[NSUnderlyingErrorKey] as? POSIXError { return cause.code.rawValue }
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        if cause.domain == NSPOSIXErrorDomain { return Int32(cause.code) }
        // Foundation maps some codes to its own and drops the original.
        switch CocoaError.Code(rawValue: error.code) {
        case .fileWriteNoPermission: return EACCES
        case .fileWriteFileExists: return EEXIST
        case .fileNoSuchFile: return ENOENT
        case .fileWriteOutOfSpace: return ENOSPC
        case .fileWriteVolumeReadOnly: return EROFS
        default: return EIO
        }
    }

    private static func takeLock(_ path: String) throws(StoreError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .fileSystem(errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            _ = close(descriptor)
            throw code == EWOULDBLOCK ? .locked : .fileSystem(errno: code)
        }
        return descriptor
    }

    /// Deletes drafts left by a crash, with SQLite's files beside them. All other drafts belong to the holder of the
    /// lock.
    private static func removeDrafts(in path: String) {
        // A draft that can't be deleted is harmless.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.contains(NewFile.draftMark) { _ = unlink("\(path)/\(name)") }
    }

    private static func touch(_ path: String) throws(StoreError) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .fileSystem(errno: errno) }
        _ = close(descriptor)
    }
}
