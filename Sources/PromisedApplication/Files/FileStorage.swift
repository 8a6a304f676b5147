internal import Glibc
package import PromisedJournal

/// Storage for the bytes of files. All implementations pass the same conformance suite.
///
/// The store knows which files exist; the storage only stores bytes under their ids. A file is added to the store after
/// the storage has it, and removed from the storage after the store has deleted it, so a crash leaves at most unreferenced
/// bytes: ``FileDeletions`` sweeps them.
package protocol FileStorage: Sendable {
    /// Appends a chunk to an upload. Replaces bytes from `offset` on.
    func append(_ bytes: [UInt8], to upload: UploadID, at offset: Int64) async throws(FileStorageError)

    /// The bytes of an upload; do not append to it while reading them. Throws `missing` if it has no bytes.
    func open(_ upload: UploadID) async throws(FileStorageError) -> UploadBytes

    /// Deletes the bytes of an upload, if any.
    func discard(_ upload: UploadID) async throws(FileStorageError)

    /// Turns the bytes of an upload into a file with an unused id. Once the call returns, the file survives a power
    /// failure, and the upload has no bytes. Throws `missing` for an upload without bytes.
    func adopt(_ upload: UploadID, as file: FileID) async throws(FileStorageError)

    /// Stores the bytes of an upload as a file with an unused id; the upload keeps its bytes. Once the call returns,
    /// the file survives a power failure. Throws `missing` for an upload without bytes.
    func keep(_ upload: UploadID, as file: FileID) async throws(FileStorageError)

    /// Begins a file with an unused id.
    func draft(of file: FileID) async throws(FileStorageError) -> FileDraft

    /// Stores the bytes of a file, which survives a power failure once the call returns.
    func keep(_ bytes: [UInt8], as file: FileID) async throws(FileStorageError)

    /// A part of a file. Throws `missing` if the file does not exist or is shorter, and `irregular`.
    func read(_ file: FileID, _ range: Range<Int64>) async throws(FileStorageError) -> [UInt8]

    /// Removes files; their bytes are gone once the call returns. Skips files that do not exist.
    func remove(_ files: [FileID]) async throws(FileStorageError)

    /// Deletes the remains of interrupted drafts of these files; existing files stay.
    func discardDrafts(of files: [FileID]) async throws(FileStorageError)

    /// The sizes of all files, and the uploads with bytes.
    func contents() async throws(FileStorageError) -> FileStorageContents

    /// The free bytes on the disk; nil if the storage stores files elsewhere.
    func freeBytes() async throws(FileStorageError) -> Int64?
}

package struct FileStorageContents: Hashable, Sendable {
    /// The sizes of the files, in bytes.
    package var files: [FileID: Int64] = [:]
    package var uploads: Set<UploadID> = []
    /// The files being written, or left incomplete by a crash.
    package var drafts: Set<FileID> = []
    /// All other names, ascending.
    package var strays: [String] = []

    package init() {}
}

/// Why an operation of a storage failed.
package enum FileStorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes do not exist.
    case missing
    /// The path is not a regular file, but for example a directory, a pipe or a symbolic link.
    case irregular
    case full
    /// A system call failed with this error number.
    case system(code: Int32)

    /// `true` if the error concerns only this file, and a retry is pointless.
    var isOfFile: Bool {
        switch self {
        case .missing, .irregular: true
        case .full: false
        case .system(let code): [EIO, EACCES, EPERM].contains(code)
        }
    }

    /// A sentence for logs, without a path.
    package var description: String {
        switch self {
        case .missing: "the file is missing or too short"
        case .irregular: "in place of the file is something else, such as a directory or a link"
        case .full: "the disk is full"
        case .system(let code): "the system refused with error \(code)"
        }
    }
}
