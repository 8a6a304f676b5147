internal import Glibc
package import PromisedDomain

/// A place for the bytes of files. One conformance suite proves every implementation.
///
/// The store knows which files there are; the vault only keeps bytes under their ids. A file is entered into the store
/// after the vault has it, and removed from the vault after the store has forgotten it, so that a crash leaves at most
/// bytes that nobody refers to: ``Files`` sweeps them.
package protocol FileVault: Sendable {
    /// Appends a chunk to an upload. Bytes behind `offset` are replaced.
    func append(_ bytes: [UInt8], to upload: UploadID, at offset: Int64) async throws(FileVaultError)

    /// The bytes of an upload, to which nothing is appended meanwhile. Throws `missing` if there are none.
    func open(_ upload: UploadID) async throws(FileVaultError) -> UploadBytes

    /// Forgets the bytes of an upload, if there are any.
    func discard(_ upload: UploadID) async throws(FileVaultError)

    /// Turns the bytes of an upload into a file, whose id no other file has. After it has returned, they survive a loss of
    /// power, and the upload has none. Throws `missing` for an upload without bytes.
    func adopt(_ upload: UploadID, as file: FileID) async throws(FileVaultError)

    /// Keeps the bytes of an upload as a file, whose id no other file has; the upload still has them as well. After it has
    /// returned, those of the file survive a loss of power. Throws `missing` for an upload without bytes.
    func keep(_ upload: UploadID, as file: FileID) async throws(FileVaultError)

    /// Begins a file, whose id no other file has.
    func draft(of file: FileID) async throws(FileVaultError) -> FileDraft

    /// Keeps the bytes of a file; after it has returned, they survive a loss of power.
    func keep(_ bytes: [UInt8], as file: FileID) async throws(FileVaultError)

    /// A part of a file. Throws `missing` for a file that is not there, or that is shorter, and `irregular`.
    func read(_ file: FileID, _ range: Range<Int64>) async throws(FileVaultError) -> [UInt8]

    /// Removes files; after it has returned, their bytes are gone. Files that are not there are passed over.
    func remove(_ files: [FileID]) async throws(FileVaultError)

    /// Deletes what an interrupted draft of these files left; the files themselves stay, if there are any.
    func discardDrafts(of files: [FileID]) async throws(FileVaultError)

    /// The sizes of all files that are kept, and the uploads with bytes.
    func contents() async throws(FileVaultError) -> FileVaultContents

    /// The free bytes of the disk; nil if the vault keeps files elsewhere.
    func freeBytes() async throws(FileVaultError) -> Int64?
}

/// The contents of a vault.
package struct FileVaultContents: Hashable, Sendable {
    /// The sizes of the files, in bytes.
    package var files: [FileID: Int64] = [:]
    /// The uploads with bytes.
    package var uploads: Set<UploadID> = []
    /// The files that are being written, or whose writing a crash ended.
    package var drafts: Set<FileID> = []
    /// The names of everything else, ascending.
    package var strays: [String] = []

    /// Nothing.
    package init() {}
}

/// The reason for which a vault does not do what it is asked.
package enum FileVaultError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are no such bytes.
    case missing
    /// In its place is something else, such as a directory, a pipe or a symbolic link.
    case irregular
    /// The disk is full.
    case full
    /// The system refused; its error number.
    case system(code: Int32)

    /// `true` if this one file is at fault, and trying again is of no use.
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
