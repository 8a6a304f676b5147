internal import Logging
internal import PromisedEngine
internal import PromisedJournal
internal import PromisedStore

/// Makes exports on its own thread, so that reading and encoding delay no other work.
actor ExportMaker {
    private let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let store: ExportSources
    private let files: Files
    private let clock: any WallClock
    private let log: Logger

    /// - Parameter executor: runs all work; nil for its own thread.
    init(
        store: ExportSources,
        files: Files,
        clock: any WallClock,
        on executor: (any SerialExecutor)? = nil,
        log: Logger
    ) {
        self.executor = executor ?? QueueExecutor(label: "promised.exports")
        self.store = store
        self.files = files
        self.clock = clock
        self.log = log
    }

    /// The file of an export. Throws ``ExportError`` and the errors of the store and the files; then nothing is left
    /// behind.
    func make(_ pending: PendingExport) async throws -> StoredFile {
        var draft = try await ExportDraft(of: pending, in: files)
        do {
            var content = ExportContent(of: pending.userID, store: store, files: files, clock: clock, log: log)
            try await content.write(into: &draft)
            return try await draft.finish()
        } catch {
            await draft.abandon()
            throw error
        }
    }
}
