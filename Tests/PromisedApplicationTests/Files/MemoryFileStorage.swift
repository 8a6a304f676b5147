import PromisedApplication
import PromisedConcurrency
import PromisedJournal

/// A storage in memory, which can be made to fail.
final class MemoryFileStorage: FileStorage {
    private struct State {
        var files: [FileID: [UInt8]] = [:]
        var uploads: [UploadID: [UInt8]] = [:]
        var drafts: Set<FileID> = []
        var free: Int64? = 1 << 40
        var failure: FileStorageError?
        var keepFailure: FileStorageError?
        var onAppend: @Sendable () async -> Void = {}
        var onRead: @Sendable () async -> Void = {}
        var appendFailure: FileStorageError?
        var appended: [Int] = []
        var opened = 0
    }

    private let state = Guarded(State())

    /// The reported free bytes.
    var free: Int64? {
        get { state.withLock { $0.free } }
        set { state.withLock { $0.free = newValue } }
    }

    /// The error of every later call; nil for success.
    var failure: FileStorageError? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// The error of storing later files; nil for success.
    var keepFailure: FileStorageError? {
        get { state.withLock { $0.keepFailure } }
        set { state.withLock { $0.keepFailure = newValue } }
    }

    /// The files whose writing a crash ended.
    var drafts: Set<FileID> {
        get { state.withLock { $0.drafts } }
        set { state.withLock { $0.drafts = newValue } }
    }

    /// Runs before each chunk is appended.
    var onAppend: @Sendable () async -> Void {
        get { state.withLock { $0.onAppend } }
        set { state.withLock { $0.onAppend = newValue } }
    }

    /// Runs before each part of a file is read.
    var onRead: @Sendable () async -> Void {
        get { state.withLock { $0.onRead } }
        set { state.withLock { $0.onRead = newValue } }
    }

    /// The sizes of the chunks that were appended.
    var appended: [Int] { state.withLock { $0.appended } }

    /// How often an upload was opened for reading.
    var opened: Int { state.withLock { $0.opened } }

    /// The error of later chunks; nil for success.
    func failAppends(with failure: FileStorageError?) { state.withLock { $0.appendFailure = failure } }

    func append(_ bytes: [UInt8], to upload: UploadID, at offset: Int64) async throws(FileStorageError) {
        await onAppend()
        if let failure = state.withLock({ $0.appendFailure }) { throw failure }
        try work { state in
            state.appended.append(bytes.count)
            state.uploads[upload] = Array((state.uploads[upload] ?? []).prefix(Int(offset))) + bytes
        }
    }

    func open(_ upload: UploadID) async throws(FileStorageError) -> UploadBytes {
        guard let bytes = try work({ $0.uploads[upload] }) else { throw .missing }
        state.withLock { $0.opened += 1 }
        return UploadBytes(bytes)
    }
    func discard(_ upload: UploadID) async throws(FileStorageError) { try work { $0.uploads[upload] = nil } }
    func keep(_ bytes: [UInt8], as file: FileID) async throws(FileStorageError) {
        if let keepFailure { throw keepFailure }
        try work { $0.files[file] = bytes }
    }

    func draft(of file: FileID) async throws(FileStorageError) -> FileDraft {
        .inMemory { bytes async throws(FileStorageError) in try await self.keep(bytes, as: file) }
    }

    func keep(_ upload: UploadID, as file: FileID) async throws(FileStorageError) {
        if let keepFailure { throw keepFailure }
        guard let bytes = try work({ $0.uploads[upload] }) else { throw .missing }
        try work { $0.files[file] = bytes }
    }

    func adopt(_ upload: UploadID, as file: FileID) async throws(FileStorageError) {
        if let keepFailure { throw keepFailure }
        let isThere = try work { state in
            guard let bytes = state.uploads.removeValue(forKey: upload) else { return false }
            state.files[file] = bytes
            return true
        }
        guard isThere else { throw .missing }
    }

    func read(_ file: FileID, _ range: Range<Int64>) async throws(FileStorageError) -> [UInt8] {
        await onRead()
        let bytes = try work { $0.files[file] }
        guard let bytes, range.upperBound <= bytes.count else { throw .missing }
        return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    func remove(_ files: [FileID]) async throws(FileStorageError) {
        try work { state in for file in files { state.files[file] = nil } }
    }

    func discardDrafts(of files: [FileID]) async throws(FileStorageError) {
        try work { $0.drafts.subtract(files) }
    }

    func contents() async throws(FileStorageError) -> FileStorageContents {
        try work { state in
            var contents = FileStorageContents()
            contents.files = state.files.mapValues { Int64($0.count) }
            contents.uploads = Set(state.uploads.keys)
            contents.drafts = state.drafts
            return contents
        }
    }

    func freeBytes() async throws(FileStorageError) -> Int64? { try work { $0.free } }

    private func work<Value: Sendable>(_ body: (inout State) -> Value) throws(FileStorageError) -> Value {
        let outcome = state.withLock { state -> Result<Value, FileStorageError> in
            state.failure.map { .failure($0) } ?? .success(body(&state))
        }
        return try outcome.get()
    }
}
