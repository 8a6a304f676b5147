internal import Logging
package import PromisedDomain
internal import PromisedEngine
package import PromisedJournal
package import PromisedStore

/// Deletes the bytes of files and uploads: those whose rows are deleted, and those that nothing references.
package actor FileDeletions {
    /// How long a file without an item is kept.
    package static let unusedLifetime = TimeSpan.days(1)
    /// How often the sweep compares all files with the store, to find bytes without a row, which only a crash or a disk
    /// failure leaves; the first time at the start.
    private static let comparisonInterval = TimeSpan.minutes(10)
    /// How many files are deleted from the disk at a time.
    private static let removedAtOnce = 256
    /// How many files are compared per read of the store.
    private static let comparedAtOnce = 500

    private let store: FileStore
    private let access: FileAccess
    private let open: OpenUploads
    private let clock: any WallClock
    private let metrics: FileMetrics
    private var leftovers: Leftovers

    init(store: FileStore, access: FileAccess, open: OpenUploads, clock: any WallClock, metrics: FileMetrics) {
        self.store = store
        self.access = access
        self.open = open
        self.clock = clock
        self.metrics = metrics
        leftovers = Leftovers(startedAt: clock.now)
    }

    /// Deletes the bytes of files whose rows are deleted, a few at a time, so that other users' chunks wait only
    /// briefly. Each sweep retries failed deletions.
    package func remove(_ ids: [FileID]) async {
        for start in stride(from: 0, to: ids.count, by: FileDeletions.removedAtOnce) {
            let some = Array(ids[start..<min(start + FileDeletions.removedAtOnce, ids.count)])
            do throws(FileStorageError) {
                try await access.storage.remove(some)
                if !leftovers.undeleted.isEmpty { leftovers.undeleted.subtract(some) }
            } catch {
                leftovers.undeleted.formUnion(some)
                access.log.error("Files cannot be deleted", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Deletes the bytes of the first part of a deletion before the reply if it is the only one. Otherwise they are
    /// deleted with the second part: unlinking a hundred files costs as much as the rest of the request.
    package func removeFirst(_ erasure: Erasure) async {
        guard !erasure.isComplete else { return await remove(erasure) }
        leftovers.undeleted.formUnion(erasure.files)
        await discard(erasure.uploads)
    }

    /// Deletes bytes that an earlier part of a deletion has left, or whose deletion failed.
    package func removeLeftovers() async {
        if !leftovers.undeleted.isEmpty { await remove(Array(leftovers.undeleted)) }
    }

    /// Deletes the bytes removed by a deletion.
    package func remove(_ erasure: Erasure) async {
        await remove(erasure.files)
        await discard(erasure.uploads)
    }

    func discard(_ ids: [UploadID]) async {
        for id in ids {
            open.forgetDigest(of: id)
            do throws(FileStorageError) {
                try await access.storage.discard(id)
            } catch {
                access.log.error("An upload cannot be deleted", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Deletes unreferenced data: files without an item for ``unusedLifetime``, expired uploads, bytes without a row,
    /// and files left incomplete by a crash.
    package func sweep() async throws {
        let now = clock.now
        await removeLeftovers()
        while case let files = try await store.deleteUnusedFiles(before: now - FileDeletions.unusedLifetime),
            !files.isEmpty
        {
            await remove(files)
        }
        let forgotten = try await store.forgetUploads(at: now)
        metrics.note(.forgotten, forgotten.count)
        await discard(forgotten)
        if let comparedAt = leftovers.comparedAt, now < comparedAt + FileDeletions.comparisonInterval { return }
        try await sweepStrays(at: now)
        leftovers.comparedAt = now
    }

    private func sweepStrays(at now: Instant) async throws {
        let contents = try await access.reach { try await $0.contents() }
        let uploads = try await store.uploadIDs()
        await discard(contents.uploads.filter { !uploads.contains($0) && !open.isBusy($0) })
        // A stored file that is not yet in the store is young and was made after the start.
        let limit = max(now - Upload.patience, leftovers.startedAt)
        let old = contents.files.keys.filter { $0.madeAt < limit }
        for start in stride(from: 0, to: old.count, by: FileDeletions.comparedAtOnce) {
            let some = old[start..<min(start + FileDeletions.comparedAtOnce, old.count)]
            let known = try await store.files(some)
            await remove(some.filter { known[$0] == nil })
        }
        let drafts = contents.drafts.filter { $0.madeAt < limit }
        try await access.reach { try await $0.discardDrafts(of: Array(drafts)) }
    }
}

extension ID {
    /// The creation time: the first 48 bits of a UUIDv7 (RFC 9562, section 5.7).
    var madeAt: Instant { Instant(milliseconds: Int64(high >> 16)) }
}
