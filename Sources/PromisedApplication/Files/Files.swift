package import CoreMetrics
package import Logging
internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedJournal
package import PromisedStore

/// The files of users: uploads, reading in pieces, files made by the server, deletion.
package actor Files {
    package nonisolated let uploads: FileUploads
    package nonisolated let deletions: FileDeletions
    nonisolated let exports: ExportFiles
    let store: (courses: CourseStore, files: FileStore, recordings: RecordingStore)
    private let access: FileAccess
    private let space: FileSpace
    /// The files that could not be read since the start of the server.
    package private(set) var unreadable = UnreadableFiles()

    /// - Parameters:
    ///   - clock: real time, even if the server's clock is scaled: uploads and exports take real time.
    ///   - metrics: creates the counters of uploads; by default none.
    ///   - thread: parses pictures; nil for its own thread.
    package init(
        store: some HasCourses & HasFiles & HasRecordings,
        storage: any FileStorage,
        space: FileSpace,
        clock: any WallClock,
        random: RandomSource,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        on thread: WorkThread? = nil,
        log: Logger
    ) {
        let (files, open, metrics) = (store.files, OpenUploads(), FileMetrics(metrics))
        self.store = (store.courses, files, store.recordings)
        self.space = space
        access = FileAccess(storage: storage, log: log)
        deletions = FileDeletions(store: files, access: access, open: open, clock: clock, metrics: metrics)
        exports = ExportFiles(
            store: files,
            access: access,
            open: open,
            deletions: deletions,
            space: space,
            clock: clock,
            random: random
        )
        uploads = FileUploads(
            store: files,
            access: access,
            open: open,
            deletions: deletions,
            space: space,
            clock: clock,
            random: random,
            metrics: metrics,
            work: WorkQueue(label: "promised.files.work", about: "files", on: thread)
        )
    }

    // MARK: - Reading

    /// A part of a file that a user may read: their own, or a photo in a visit or course that they may see.
    ///
    /// - Throws: `fileNotFound`, `fileUnreadable`, `invalid` with the field.
    package func read(
        _ id: FileID,
        from offset: Int64,
        limit: Int,
        by userID: UserID
    ) async throws -> (file: StoredFile, bytes: [UInt8]) {
        guard let file = try await store.files.file(id, readableBy: userID) else { throw Refusal.fileNotFound }
        let range = try file.range(from: offset, limit: limit)
        do throws(FileStorageError) {
            return (file, try await access.storage.read(id, range))
        } catch {
            throw try await failure(to: id, error)
        }
    }

    /// The error for a file whose bytes the storage could not read.
    private func failure(to id: FileID, _ error: FileStorageError) async throws -> any Error {
        // The file may have been deleted meanwhile.
        guard try await store.files.file(id) != nil else { return Refusal.fileNotFound }
        access.log.error("A file cannot be read", metadata: ["file": "\(id)", "error": "\(error)"])
        guard error.isOfFile else { return ApplicationError.unavailable(retryAfter: .seconds(10)) }
        unreadable.add(id)
        return Refusal.fileUnreadable
    }

    /// All bytes of one of the user's files. Throws `fileNotFound`, also for a file of another kind and for a track
    /// that was already imported; `fileUnreadable` if the bytes are missing, for example after a restore without them.
    package func content(of id: FileID, _ kind: StoredFile.Kind, of userID: UserID) async throws -> [UInt8] {
        guard let kept = try await store.files.file(id), kept.file.userID == userID, kept.file.kind == kind,
            kind != .track || kept.usedAt == nil
        else { throw Refusal.fileNotFound }
        let file = kept.file
        do throws(FileStorageError) {
            return try await access.storage.read(id, 0..<file.bytes)
        } catch {
            throw try await failure(to: id, error)
        }
    }

    /// The rows of files, by their ids; without deleted ones.
    package func files(_ ids: some Sequence<FileID>) async throws -> [FileID: StoredFile] {
        try await store.files.files(ids)
    }

    // MARK: - The disk

    /// `false` while less than ``FileSpace/keepFree`` is free on the storage's disk. `true` if that is unknown.
    package func hasRoom() async -> Bool {
        guard let free = try? await freeBytes() else { return true }
        return free >= space.keepFree
    }

    func freeBytes() async throws -> Int64? { try await access.reach { try await $0.freeBytes() } }
}

/// The files that could not be read since the start of the server.
package struct UnreadableFiles: Hashable, Sendable {
    /// Counts a file that fails repeatedly once; at most ``most``.
    package var count: Int { ids.count }
    /// The last unreadable file; nil if there is none.
    package private(set) var last: FileID?
    private var ids: Set<FileID> = []
    /// The most distinct files that are counted.
    private static let most = 10_000

    mutating func add(_ id: FileID) {
        last = id
        if ids.count < Self.most { ids.insert(id) }
    }
}
