internal import Foundation
internal import Glibc

/// The directory of one server's data, locked for as long as this object lives or until ``unlock()``.
///
/// The lock is an OS lock (`flock`) on the file `lock`: it dies with the process, however that ends, and belongs to the
/// open file, so that even the same process cannot take it twice.
final class DataDirectory: Sendable {
    /// The database file.
    let databasePath: String
    /// Its write-ahead log, named by SQLite.
    let logPath: String
    private let descriptor: Int32

    /// Makes the directory (mode 0700) unless it is there, takes its lock and makes the database file (mode 0600; SQLite
    /// gives the files beside it the same mode).
    ///
    /// Blocks while the file system works.
    ///
    /// - Throws: ``StoreError/locked``, ``StoreError/fileSystem(errno:)``.
    init(path: String) throws(StoreError) {
        try DataDirectory.make(path)
        descriptor = try DataDirectory.takeLock(path + "/lock")
        databasePath = path + "/promised.sqlite"
        logPath = databasePath + "-wal"
        try DataDirectory.touch(databasePath)
    }

    deinit {
        _ = close(descriptor)
    }

    /// Gives the lock back; the database must be closed.
    func unlock() {
        // The descriptor is open as long as this object lives, and unlocking it cannot fail otherwise.
        _ = flock(descriptor, LOCK_UN)
    }

    private static func make(_ path: String) throws(StoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .fileSystem(errno: underlyingCode(error))
        }
    }

    private static func underlyingCode(_ error: any Error) -> Int32 {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        return cause.domain == NSPOSIXErrorDomain ? Int32(cause.code) : EIO
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

    private static func touch(_ path: String) throws(StoreError) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .fileSystem(errno: errno) }
        _ = close(descriptor)
    }
}
