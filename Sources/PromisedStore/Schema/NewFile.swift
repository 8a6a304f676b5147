internal import Glibc

/// A file that appears under its name complete and synced, or not at all, and never in the place of another.
///
/// It is written beside its place under a name that nobody else has (mode 0600), and then linked to its own, which fails
/// when there is anything.
struct NewFile: ~Copyable {
    /// Where it will be.
    let path: String
    /// Where it is written.
    let draftPath: String

    /// Makes the draft.
    ///
    /// - Throws: ``StoreError/fileSystem(errno:)``, `EEXIST` when there is something at `path`.
    init(path: String) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) != 0 else { throw .fileSystem(errno: EEXIST) }
        guard errno == ENOENT else { throw .fileSystem(errno: errno) }
        var template = Array("\(path).XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw .fileSystem(errno: errno) }
        _ = close(descriptor)
        self.path = path
        draftPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        _ = unlink(draftPath)
    }

    /// Syncs the draft and gives it its name.
    ///
    /// - Returns: its size in bytes.
    /// - Throws: ``StoreError/fileSystem(errno:)``.
    consuming func publish() throws(StoreError) -> Int {
        let size = try NewFile.sync(draftPath, flags: O_RDONLY)
        guard link(draftPath, path) == 0 else { throw .fileSystem(errno: errno) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        _ = try NewFile.sync(folder, flags: O_RDONLY | O_DIRECTORY)
        return size
    }

    /// Makes what is at a path survive a power failure.
    ///
    /// - Returns: its size in bytes.
    private static func sync(_ path: String, flags: Int32) throws(StoreError) -> Int {
        let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .fileSystem(errno: errno) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else { throw .fileSystem(errno: errno) }
        return Int(status.st_size)
    }
}
