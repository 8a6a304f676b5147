internal import GRDB
internal import Glibc

/// Copies a database into a new, self-contained file.
enum DatabaseCopy {
    /// Copies the committed state, as of one moment; blocks the thread. Writes to the source proceed meanwhile: the
    /// copy uses a read-only connection and a single step.
    ///
    /// - Parameters:
    ///   - path: an unused path, or one whose file the finished copy replaces.
    ///   - replacesOther: `true` to replace a file at `path`, which is otherwise an error.
    ///   - change: applied to the copy before it is published, in one transaction.
    ///   - draft: called with the path of the file that grows until the copy is complete.
    /// - Returns: its size in bytes.
    /// - Throws: ``StoreError/fileSystem(errno:)``, and errors of SQLite.
    static func write(
        from source: any DatabaseReader,
        to path: String,
        replacesOther: Bool = false,
        change: ((Database) throws -> Void)? = nil,
        draft: (String) -> Void = { _ in }
    ) throws -> Int {
        let file = try NewFile(path: path, replacesOther: replacesOther)
        draft(file.draftPath)
        let copy = try DatabaseQueue(path: file.draftPath)
        do {
            if try source.read(CleanFile.knowsPages) { try copy.writeWithoutTransaction(CleanFile.keep) }
            try source.backup(to: copy)
            // The copy is in WAL mode; with a rollback journal it is a single file, readable anywhere.
            try copy.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
            if let change { try copy.write(change) }
            try copy.close()
        } catch {
            // Reports the first failure; the draft is deleted with `file`.
            try? copy.close()
            throw error
        }
        return try file.publish()
    }

    /// Copies the database before an upgrade, replacing the copies of earlier attempts from the same schema.
    ///
    /// An upgrade is one transaction: a failed one changes nothing, so the newest copy contains all data of the earlier
    /// ones.
    static func writeNewest(from source: any DatabaseReader, to path: String) throws {
        _ = try write(from: source, to: path, replacesOther: true)
        // Earlier versions numbered their copies. Failing to delete one does not prevent the upgrade.
        for number in 2...99 { _ = unlink("\(path).\(number)") }
    }
}

/// A file that is published under its name complete and synced, or not at all, and replaces an existing one only on
/// request.
///
/// It is written in the same folder under a unique name (mode 0600), and then linked to its own name, which fails if
/// that exists, or renamed to it.
struct NewFile: ~Copyable {
    /// Part of the names of drafts, including drafts of other private files; a crash leaves drafts behind.
    static let draftMark = ".draft-"
    let path: String
    let draftPath: String
    private let replacesOther: Bool

    /// Creates the draft.
    ///
    /// - Throws: ``StoreError/fileSystem(errno:)``, `EEXIST` if `path` is taken and the file does not replace another.
    init(path: String, replacesOther: Bool = false) throws(StoreError) {
        var status = stat()
        if lstat(path, &status) == 0 {
            guard replacesOther else { throw .fileSystem(errno: EEXIST) }
        } else {
            guard errno == ENOENT else { throw .fileSystem(errno: errno) }
        }
        var template = Array("\(path)\(NewFile.draftMark)XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw .fileSystem(errno: errno) }
        _ = close(descriptor)
        self.path = path
        self.replacesOther = replacesOther
        draftPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { _ = unlink(draftPath) }

    /// Syncs the draft and publishes it under its name.
    ///
    /// - Returns: its size in bytes.
    /// - Throws: ``StoreError/fileSystem(errno:)``.
    consuming func publish() throws(StoreError) -> Int {
        let size = try NewFile.sync(draftPath, flags: O_RDONLY)
        let published = replacesOther ? rename(draftPath, path) : link(draftPath, path)
        guard published == 0 else { throw .fileSystem(errno: errno) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        _ = try NewFile.sync(folder, flags: O_RDONLY | O_DIRECTORY)
        return size
    }

    /// Makes a file or folder survive a power failure. Returns its size in bytes.
    private static func sync(_ path: String, flags: Int32) throws(StoreError) -> Int {
        let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .fileSystem(errno: errno) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else { throw .fileSystem(errno: errno) }
        return Int(status.st_size)
    }
}
