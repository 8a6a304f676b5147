#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file in the data directory that keeps the signing key, made on first start.
///
/// It appears complete or not at all: the key is written to a file of another name, flushed to the disk and then linked
/// to its name, which fails when another process was faster; then that one's key is read. A file that others may read
/// or write, that belongs to somebody else, is no regular file or holds something else is refused, never replaced:
/// with a new key every signed-in user would be signed out, which is the operator's decision.
public struct SigningKeyFile: Sendable {
    /// The file's name within the data directory.
    public static let name = "signing.key"

    /// The path of the file.
    public let path: String

    /// The file within a data directory, which must exist when it is read.
    public init(dataDirectory: String) {
        path = dataDirectory + "/" + Self.name
    }

    /// The key of the file; of a new file when there is none.
    ///
    /// Blocks for the time of a few disk accesses: call it at start.
    /// - Parameter generator: where a new key comes from; must be cryptographically secure outside tests.
    public func loadOrCreate(using generator: inout some RandomNumberGenerator) throws(SigningKeyError) -> SigningKey {
        if let key = try load() { return key }
        try create(SigningKey(using: &generator))
        guard let key = try load() else { throw failure(.system(code: ENOENT)) }
        return key
    }

    /// The key of the file; nil when there is no file.
    public func load() throws(SigningKeyError) -> SigningKey? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(errno == ELOOP ? .notAFile : .system(code: errno))
        }
        defer { _ = close(descriptor) }
        try check(descriptor)
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw failure(.system(code: errno)) }
        let text = String(decoding: buffer.prefix(count), as: UTF8.self)
        guard
            text.hasSuffix("\n"),
            let bytes = Base64Text.decodeURL(String(text.dropLast())),
            let key = SigningKey(bytes: bytes)
        else { throw failure(.garbage) }
        return key
    }

    // MARK: - Internals

    private func check(_ descriptor: Int32) throws(SigningKeyError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.system(code: errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure(.notAFile) }
        guard status.st_uid == geteuid() else { throw failure(.foreignOwner) }
        let permissions = UInt32(status.st_mode & 0o777)
        guard permissions & 0o077 == 0 else { throw failure(.tooOpen(mode: permissions)) }
    }

    /// Writes the file unless it exists by now.
    private func create(_ key: SigningKey) throws(SigningKeyError) {
        // The library makes up the end of the name and gives the file mode 0600.
        var draft = Array("\(path).XXXXXX".utf8CString)
        let descriptor = mkstemp(&draft)
        guard descriptor >= 0 else { throw failure(.system(code: errno)) }
        defer {
            _ = close(descriptor)
            _ = unlink(draft)
        }
        let line = Array((Base64Text.encodeURL(key.bytes) + "\n").utf8)
        guard write(descriptor, line, line.count) == line.count else { throw failure(.system(code: errno)) }
        guard fsync(descriptor) == 0 else { throw failure(.system(code: errno)) }
        guard link(draft, path) == 0 || errno == EEXIST else { throw failure(.system(code: errno)) }
        try flushDirectory()
    }

    /// Makes the new name survive a power failure.
    private func flushDirectory() throws(SigningKeyError) {
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(.system(code: errno)) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(.system(code: errno)) }
    }

    private func failure(_ reason: SigningKeyError.Reason) -> SigningKeyError {
        SigningKeyError(path: path, reason: reason)
    }
}
