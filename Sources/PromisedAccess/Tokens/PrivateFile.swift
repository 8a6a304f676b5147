#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file in the data directory with a secret in one line, for the server's user alone (mode 0600).
///
/// The file is created atomically: the line is written to a file of another name, flushed to the disk and then linked
/// to its name, which fails if another process was faster. A file that other users may read or write, that another user
/// owns or that is not a regular file is refused, never replaced.
package struct PrivateFile: Sendable {
    /// Why the file is unusable.
    package enum Failure: Error, Hashable {
        /// Other users may read or write the file, which has this mode.
        case tooOpen(mode: UInt32)
        /// The file belongs to another user than the one the server runs as.
        case foreignOwner
        /// A link, a folder or a device is at its path.
        case notAFile
        /// The content was not written by this type.
        case garbage
        /// The system refused, with this `errno`.
        case system(code: Int32)
    }

    package let path: String

    package init(path: String) { self.path = path }

    /// Its content, up to 256 bytes; nil if the file does not exist. Blocks for the time of a disk access.
    package func read() throws(Failure) -> String? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw errno == ELOOP ? .notAFile : .system(code: errno)
        }
        defer { _ = close(descriptor) }
        try check(descriptor)
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw .system(code: errno) }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    /// Creates the file unless it exists. Blocks for the time of a few disk accesses.
    package func create(_ line: String) throws(Failure) {
        // The C library completes the name and gives the file mode 0600.
        var draft = Array("\(path).draft-XXXXXX".utf8CString)
        let descriptor = mkstemp(&draft)
        guard descriptor >= 0 else { throw .system(code: errno) }
        defer {
            _ = close(descriptor)
            _ = unlink(draft)
        }
        let bytes = Array((line + "\n").utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw .system(code: errno) }
        guard fsync(descriptor) == 0 else { throw .system(code: errno) }
        guard link(draft, path) == 0 || errno == EEXIST else { throw .system(code: errno) }
        try flushDirectory()
    }

    private func check(_ descriptor: Int32) throws(Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard status.st_uid == geteuid() else { throw .foreignOwner }
        let permissions = UInt32(status.st_mode & 0o777)
        guard permissions & 0o077 == 0 else { throw .tooOpen(mode: permissions) }
    }

    /// Makes the new name survive a power failure.
    private func flushDirectory() throws(Failure) {
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(code: errno) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(code: errno) }
    }
}
