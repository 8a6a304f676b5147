internal import Dispatch
internal import Foundation
internal import Glibc
internal import PromisedDomain
package import PromisedJournal
internal import Synchronization

/// Files in a directory of the file system, named by their ids: beside SQLite in the data directory.
///
/// A file is written under another name, synced and renamed, so a file name always refers to complete content; an
/// upload that is adopted unchanged gets a second name by a link. Mode 0600 in a directory of mode 0700. All calls wait
/// for the disk on the storage's own queues.
package final class DiskFileStorage: FileStorage {
    private let path: String
    private let queue = DispatchQueue(label: "promised.files", qos: .userInitiated)
    /// Syncing hundreds of megabytes takes seconds, which must not delay the chunks of a photo.
    private let syncQueue = DispatchQueue(label: "promised.files.sync", qos: .utility)
    /// `true` once this process has synced the directory's entry in its parent.
    private let isNameSynced = Mutex(false)

    /// The storage in a directory, which is created with the first bytes.
    package init(path: String) { self.path = path }

    // MARK: - Uploads

    package func append(
        _ bytes: [UInt8],
        to upload: UploadID,
        at offset: Int64
    ) async throws(FileStorageError) {
        try await onQueue { [self] () throws(FileStorageError) in
            try makeDirectory()
            let file = try OpenFile("\(path)/\(name(of: upload))", O_WRONLY | O_CREAT)
            try file.truncate(to: offset)
            try file.write(bytes, at: Int(offset))
        }
    }

    package func open(_ upload: UploadID) async throws(FileStorageError) -> UploadBytes {
        try await onQueue { [self] () throws(FileStorageError) in
            let file = try OpenFile("\(path)/\(name(of: upload))", O_RDONLY)
            return UploadBytes(count: Int(try file.size), read: file.read(at:into:))
        }
    }

    package func discard(_ upload: UploadID) async throws(FileStorageError) {
        try await onQueue { [self] () throws(FileStorageError) in try unlink(name(of: upload)) }
    }

    // MARK: - Files

    package func draft(of file: FileID) async throws(FileStorageError) -> FileDraft {
        let draft = try await onQueue { [self] () throws(FileStorageError) in try openDraft(of: file) }
        return FileDraft(
            write: draft.write(_:at:),
            read: draft.read(at:into:),
            keep: { [self] () async throws(FileStorageError) in
                try await onQueue(syncQueue) { [self] () throws(FileStorageError) in try keep(draft, as: file) }
            }
        )
    }

    package func keep(_ bytes: [UInt8], as file: FileID) async throws(FileStorageError) {
        try await onQueue { [self] () throws(FileStorageError) in
            let draft = try openDraft(of: file)
            try draft.write(bytes, at: 0)
            try keep(draft, as: file)
        }
    }

    package func keep(_ upload: UploadID, as file: FileID) async throws(FileStorageError) {
        try await onQueue(syncQueue) { [self] () throws(FileStorageError) in
            let source = try OpenFile("\(path)/\(name(of: upload))", O_RDWR)
            try source.sync()
            if link(source.path, "\(path)/\(name(of: file))") == 0 { return try sync(path) }
            // Some file systems don't support links.
            let draft = try openDraft(of: file)
            let bytes = UploadBytes(count: Int(try source.size), read: source.read(at:into:))
            for offset in stride(from: 0, to: bytes.count, by: Self.piece) {
                try draft.write(try bytes.bytes(at: offset, most: Self.piece), at: offset)
            }
            try keep(draft, as: file)
        }
    }

    /// How many bytes are copied at a time.
    private static let piece = 65_536

    private func openDraft(of file: FileID) throws(FileStorageError) -> OpenFile {
        try makeDirectory()
        return try OpenFile("\(path)/\(draftName(of: file))", O_RDWR | O_CREAT | O_TRUNC, isDraft: true)
    }

    private func keep(_ draft: OpenFile, as file: FileID) throws(FileStorageError) {
        try draft.sync()
        guard rename(draft.path, "\(path)/\(name(of: file))") == 0 else { throw .last }
        try sync(path)
    }

    package func discardDrafts(of files: [FileID]) async throws(FileStorageError) {
        try await onQueue { [self] () throws(FileStorageError) in
            for file in files { try unlink(draftName(of: file)) }
        }
    }

    package func adopt(_ upload: UploadID, as file: FileID) async throws(FileStorageError) {
        try await onQueue(syncQueue) { [self] () throws(FileStorageError) in
            try OpenFile("\(path)/\(name(of: upload))", O_WRONLY).sync()
            guard rename("\(path)/\(name(of: upload))", "\(path)/\(name(of: file))") == 0 else {
                throw errno == ENOENT ? .missing : .last
            }
            try sync(path)
        }
    }

    package func read(_ file: FileID, _ range: Range<Int64>) async throws(FileStorageError) -> [UInt8] {
        try await onQueue { [self] () throws(FileStorageError) in try contents(of: name(of: file), range) }
    }

    package func remove(_ files: [FileID]) async throws(FileStorageError) {
        guard !files.isEmpty else { return }
        try await onQueue { [self] () throws(FileStorageError) in
            for file in files { try unlink(name(of: file)) }
            if access(path, F_OK) == 0 { try sync(path) }
        }
    }

    package func contents() async throws(FileStorageError) -> FileStorageContents {
        try await onQueue { [self] () throws(FileStorageError) in
            var contents = FileStorageContents()
            for name in try names() {
                if let file = FileID(name), "\(file)" == name {
                    // The file may have been removed since its name was read.
                    if let size = try size(of: name) { contents.files[file] = size }
                } else if name.hasSuffix(Self.uploadEnding), let upload = UploadID(String(name.dropLast(5))) {
                    contents.uploads.insert(upload)
                } else if name.hasSuffix(Self.draftEnding), let file = FileID(String(name.dropLast(4))) {
                    contents.drafts.insert(file)
                } else {
                    contents.strays.append(name)
                }
            }
            contents.strays.sort()
            return contents
        }
    }

    package func freeBytes() async throws(FileStorageError) -> Int64? {
        try await onQueue { [self] () throws(FileStorageError) in
            // Before the first file exists, the parent directory gives the same disk's values.
            for directory in [path, parent] {
                let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
                if let free = attributes?[.systemFreeSize] as? NSNumber { return free.int64Value }
            }
            throw .missing
        }
    }

    // MARK: - Names

    private static let uploadEnding = ".part"
    private static let draftEnding = ".new"

    private func name(of file: FileID) -> String { "\(file)" }
    private func draftName(of file: FileID) -> String { "\(file)\(Self.draftEnding)" }
    private func name(of upload: UploadID) -> String { "\(upload)\(Self.uploadEnding)" }
    private var parent: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

    private func names() throws(FileStorageError) -> [String] {
        guard let directory = opendir(path) else {
            if errno == ENOENT { return [] }
            throw .last
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    // MARK: - The system

    private func makeDirectory() throws(FileStorageError) {
        let isNew = mkdir(path, 0o700) == 0
        guard isNew || errno == EEXIST else { throw .last }
        // A power failure could otherwise lose the directory with its contents. An earlier process may have created it
        // and ended before the sync.
        try isNameSynced.withLock { isNameSynced throws(FileStorageError) in
            guard isNew || !isNameSynced else { return }
            isNameSynced = false
            try sync(parent)
            isNameSynced = true
        }
    }

    private func sync(_ directory: String) throws(FileStorageError) {
        let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last }
    }

    private func contents(of name: String, _ range: Range<Int64>) throws(FileStorageError) -> [UInt8] {
        let file = try OpenFile("\(path)/\(name)", O_RDONLY)
        // A file that is too short is not read, and no memory is allocated for a range outside it.
        guard range.upperBound <= (try file.size) else { throw .missing }
        let bytes = UploadBytes(count: Int(range.upperBound), read: file.read(at:into:))
        return try bytes.bytes(at: Int(range.lowerBound), most: range.count)
    }

    /// The size of a file in bytes; nil if it does not exist, −1 if it cannot be opened.
    private func size(of name: String) throws(FileStorageError) -> Int64? {
        do throws(FileStorageError) {
            return try OpenFile("\(path)/\(name)", O_RDONLY).size
        } catch .missing {
            return nil
        } catch {
            guard error.isOfFile else { throw error }
            return -1
        }
    }

    private func unlink(_ name: String) throws(FileStorageError) {
        // A directory is not one of the storage's files: ignores it and removes the other files of the call.
        guard Glibc.unlink("\(path)/\(name)") == 0 || errno == ENOENT || errno == EISDIR else { throw .last }
    }

    private func onQueue<Value: Sendable>(
        _ other: DispatchQueue? = nil,
        _ work: @escaping @Sendable () throws(FileStorageError) -> Value
    ) async throws(FileStorageError) -> Value {
        let outcome = await withCheckedContinuation { continuation in
            (other ?? queue).async {
                do throws(FileStorageError) {
                    continuation.resume(returning: Result<Value, FileStorageError>.success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try outcome.get()
    }
}

extension FileStorageError {
    /// The error of the last system call.
    static var last: FileStorageError { errno == ENOSPC || errno == EDQUOT ? .full : .system(code: errno) }
}
