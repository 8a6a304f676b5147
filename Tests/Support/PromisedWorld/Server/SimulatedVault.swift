internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedSimulation

/// The bytes of files, which survive the server's process.
final class VaultShelf: Sendable {
    private struct State: Sendable {
        var files: [FileID: [UInt8]] = [:]
        var uploads: [UploadID: [UInt8]] = [:]
        var failures: [FileStorageError] = []
        var longestMs: Int64
        var random: SeededGenerator
    }

    private let state: Guarded<State>

    /// Creates an empty shelf.
    ///
    /// - Parameter longestMs: the longest duration of an operation, in milliseconds.
    init(longestMs: Int64, seed: UInt64) {
        state = Guarded(State(longestMs: longestMs, random: SeededGenerator(seed: seed)))
    }

    /// All files with their bytes.
    var files: [FileID: [UInt8]] { state.withLock { $0.files } }

    /// The number of uploads with bytes.
    var uploads: Int { state.withLock { $0.uploads.count } }

    /// Fails the next `count` writes.
    func fail(_ error: FileStorageError, count: Int) {
        state.withLock { $0.failures += Array(repeating: error, count: count) }
    }

    /// Ends all failures and delays.
    func mend() { state.withLock { ($0.failures, $0.longestMs) = ([], 0) } }

    fileprivate func delay() -> TimeSpan {
        state.withLock { .milliseconds(Int64.random(in: 0...$0.longestMs, using: &$0.random)) }
    }

    fileprivate func takeFailure() -> FileStorageError? {
        state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
    }

    fileprivate func append(_ bytes: [UInt8], to upload: UploadID, at offset: Int64) {
        state.withLock { $0.uploads[upload] = Array(($0.uploads[upload] ?? []).prefix(Int(offset))) + bytes }
    }

    fileprivate func bytes(of upload: UploadID) -> [UInt8]? { state.withLock { $0.uploads[upload] } }
    fileprivate func bytes(of file: FileID) -> [UInt8]? { state.withLock { $0.files[file] } }
    fileprivate func discard(_ upload: UploadID) { state.withLock { $0.uploads[upload] = nil } }
    fileprivate func keep(_ bytes: [UInt8], as file: FileID) { state.withLock { $0.files[file] = bytes } }

    fileprivate func remove(_ files: [FileID]) {
        state.withLock { state in for file in files { state.files[file] = nil } }
    }

    fileprivate var contents: FileStorageContents {
        state.withLock { state in
            var contents = FileStorageContents()
            contents.files = state.files.mapValues { Int64($0.count) }
            contents.uploads = Set(state.uploads.keys)
            return contents
        }
    }
}

/// The vault of one run of a server: its operations take time, may fail, and have no effect after the death of the
/// process.
struct SimulatedVault: FileStorage {
    let shelf: VaultShelf
    let clock: VirtualClock

    func append(_ bytes: [UInt8], to upload: UploadID, at offset: Int64) async throws(FileStorageError) {
        try await wait(isWrite: true)
        shelf.append(bytes, to: upload, at: offset)
    }

    func open(_ upload: UploadID) async throws(FileStorageError) -> UploadBytes {
        try await wait()
        guard let bytes = shelf.bytes(of: upload) else { throw .missing }
        return UploadBytes(bytes)
    }

    func discard(_ upload: UploadID) async throws(FileStorageError) {
        try await wait(isWrite: true)
        shelf.discard(upload)
    }

    func adopt(_ upload: UploadID, as file: FileID) async throws(FileStorageError) {
        try await wait(isWrite: true)
        guard let bytes = shelf.bytes(of: upload) else { throw .missing }
        shelf.keep(bytes, as: file)
        shelf.discard(upload)
    }

    func keep(_ upload: UploadID, as file: FileID) async throws(FileStorageError) {
        try await wait(isWrite: true)
        guard let bytes = shelf.bytes(of: upload) else { throw .missing }
        shelf.keep(bytes, as: file)
    }

    /// A draft whose pieces take no time; only storing it does.
    func draft(of file: FileID) async throws(FileStorageError) -> FileDraft {
        .inMemory { bytes async throws(FileStorageError) in try await keep(bytes, as: file) }
    }

    func keep(_ bytes: [UInt8], as file: FileID) async throws(FileStorageError) {
        try await wait(isWrite: true)
        shelf.keep(bytes, as: file)
    }

    func read(_ file: FileID, _ range: Range<Int64>) async throws(FileStorageError) -> [UInt8] {
        try await wait()
        guard let bytes = shelf.bytes(of: file), range.upperBound <= bytes.count else { throw .missing }
        return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    func remove(_ files: [FileID]) async throws(FileStorageError) {
        guard !files.isEmpty else { return }
        try await wait(isWrite: true)
        shelf.remove(files)
    }

    /// Does nothing: files are written whole.
    func discardDrafts(of files: [FileID]) async throws(FileStorageError) {}

    func contents() async throws(FileStorageError) -> FileStorageContents {
        try await wait()
        return shelf.contents
    }

    func freeBytes() async throws(FileStorageError) -> Int64? { 1 << 30 }

    /// Waits for the duration of an operation. Throws if it fails, or if the process has died by then.
    private func wait(isWrite: Bool = false) async throws(FileStorageError) {
        do {
            try await clock.sleep(until: clock.now + shelf.delay())
        } catch {
            throw .system(code: 5)
        }
        if isWrite, let failure = shelf.takeFailure() { throw failure }
    }
}
