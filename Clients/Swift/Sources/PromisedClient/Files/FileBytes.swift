#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An open file, closed with the last reference. Calls block for the duration of the disk cache's work.
final class FileBytes {
    private let descriptor: CInt

    /// Opens a file; if `flags` request creation, only its owner may access it.
    init(_ path: String, flags: CInt) throws(FixStoreError) {
        descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
    }

    deinit {
        // A process that is about to start another one may hold the descriptor, and the lock with it, a little longer.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    static func contents(of path: String) throws(FixStoreError) -> [UInt8] {
        try FileBytes(path, flags: O_RDONLY).readAll()
    }

    /// Reads a whole file; empty if there is none.
    static func contentsIfThere(of path: String) throws(FixStoreError) -> [UInt8] {
        do throws(FixStoreError) {
            return try contents(of: path)
        } catch .system(ENOENT) {
            return []
        }
    }

    /// Creates a directory for its owner alone, unless it exists. Its parent must exist.
    static func makeDirectory(_ path: String) throws(FixStoreError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw .system(errno)
    }

    /// Replaces one file by another, atomically.
    static func replace(_ path: String, by other: String) throws(FixStoreError) {
        guard rename(other, path) == 0 else { throw .system(errno) }
    }

    /// Locks the file exclusively until it is closed.
    func lock() throws(FixStoreError) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            throw number == EWOULDBLOCK ? .inUse : .system(number)
        }
    }

    func append(_ bytes: [UInt8]) throws(FixStoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }

    /// Waits until the written data is on the disk.
    func force() throws(FixStoreError) {
        guard fsync(descriptor) == 0 else { throw .system(errno) }
    }

    /// Truncates the file after an incomplete write.
    func truncate(to length: Int) throws(FixStoreError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw .system(errno) }
    }

    private func readAll() throws(FixStoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes += block.prefix(count)
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }
}

/// The reason that the directory of a ``FixStore`` or a ``CourseRecorder`` cannot be used; safe for a log.
public enum FixStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another store or recorder has it open, in this process or another.
    case inUse
    /// The system's error, with its `errno`.
    case system(Int32)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .inUse: "another process uses the directory"
        case .system(let number): "cannot read or write the directory (errno \(number))"
        }
    }
}
