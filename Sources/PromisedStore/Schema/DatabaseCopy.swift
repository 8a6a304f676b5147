internal import GRDB
internal import Glibc

/// Copies a database into a new file that needs no other.
enum DatabaseCopy {
    /// Copies the committed state, as of one moment; blocks the thread. Writes to the source proceed meanwhile: the
    /// copy is read through a connection that only reads, in one step.
    ///
    /// - Parameters:
    ///   - path: a free path, or one whose file the complete copy replaces.
    ///   - replacesOther: `true` if a file at `path` is replaced; otherwise it is an error.
    ///   - change: applied to the copy before it appears, in one transaction.
    ///   - draft: told the path of the file that grows until it is complete.
    /// - Returns: its size in bytes.
    /// - Throws: ``StoreError/fileSystem(errno:)``, and what SQLite reports.
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
            // The copy is marked as having a log; without one it is a single file, readable anywhere.
            try copy.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
            if let change { try copy.write(change) }
            try copy.close()
        } catch {
            // The first failure is the one to report; the draft is deleted with `file`.
            try? copy.close()
            throw error
        }
        return try file.publish()
    }

    /// Copies the database before an upgrade, in place of the copies that attempts from the same schema have left.
    ///
    /// An upgrade is one transaction: one that fails changes nothing, so that the newest copy has everything that the
    /// earlier ones have.
    static func writeNewest(from source: any DatabaseReader, to path: String) throws {
        _ = try write(from: source, to: path, replacesOther: true)
        // Earlier versions numbered their copies. One that cannot be deleted is no reason not to upgrade.
        for number in 2...99 { _ = unlink("\(path).\(number)") }
    }
}

/// A file that appears under its name complete and synced, or not at all, and replaces another only if it is told to.
///
/// It is written beside its place under a unique name (mode 0600), and then linked to its own, which fails if that
/// exists, or renamed to it.
struct NewFile: ~Copyable {
    /// Stands in the names of drafts, also in those of other private files; a crash leaves them.
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

    /// Syncs the draft and gives it its name.
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
