internal import Logging
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedStore

/// Makes exports on a thread of its own: reading waits elsewhere, and encoding holds up nobody.
actor ExportMaker {
    private let executor = QueueExecutor(label: "promised.exports")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let store: Store
    private let files: Files
    private let clock: any WallClock
    private let log: Logger

    init(store: Store, files: Files, clock: any WallClock, log: Logger) {
        self.store = store
        self.files = files
        self.clock = clock
        self.log = log
    }

    /// The export of a user's data; nil if the account was deleted meanwhile. Nothing is left of one that fails.
    func make(for userID: UserID) async throws -> StoredFile? {
        var draft = try await ExportDraft(in: files)
        do {
            var content = ExportContent(of: userID, store: store, files: files, clock: clock, log: log)
            try await content.write(into: &draft)
            return try await draft.finish(for: userID)
        } catch {
            await draft.abandon()
            throw error
        }
    }
}
