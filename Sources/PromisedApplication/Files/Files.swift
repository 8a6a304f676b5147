package import CoreMetrics
internal import Crypto
package import Logging
internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedJournal
internal import PromisedPlaces
package import PromisedStore

/// The files of users: uploads in chunks, reading in pieces, deletion.
///
/// ```
/// begin ─▶ put, put, … ─▶ digest ─▶ strip metadata ─▶ vault ─▶ store: the file exists
///   ▲          │             └ wrong: restart at 0
///   └ resumed ─┘
/// ```
package actor Files {
    /// How long a file without an item is kept.
    package static let unusedLifetime = TimeSpan.days(1)
    /// How often the sweep compares all files with the store, to find bytes without a row, which only a crash or a disk
    /// failure leaves; the first time at the start.
    private static let comparisonInterval = TimeSpan.minutes(10)
    /// How many files are deleted from the disk at a time.
    private static let removedAtOnce = 256
    /// How many files are compared per read of the store.
    private static let comparedAtOnce = 500

    let store: (courses: CourseStore, files: FileStore, recordings: RecordingStore)
    package nonisolated let vault: any FileVault
    let space: FileSpace
    /// The time source for files.
    nonisolated let clock: any WallClock
    let random: RandomSource
    let log: Logger
    private let metrics: FileMetrics
    /// Parses pictures: one of 5 MiB takes about ten milliseconds.
    private let work: WorkQueue
    /// The files that could not be read since the start of the server.
    package private(set) var unreadable = UnreadableFiles()
    private var leftovers: Leftovers
    /// Uploads to which a chunk is being written, so that two connections cannot write to one at once, and exports in
    /// progress.
    var busy: Set<UploadID> = []
    /// The digests of open uploads, from the chunks received since the start of the server.
    private var digests: [UploadID: UploadDigest] = [:]
    /// The most digests in memory, of 200 bytes each; others are recomputed at the end of their uploads.
    private static let mostDigests = 4_096
    /// How many bytes are read at a time to recompute a digest.
    private static let digestPiece = 262_144

    /// - Parameters:
    ///   - clock: real time, even if the server's clock is scaled: uploads and exports take real time.
    ///   - metrics: creates the counters of uploads; by default none.
    ///   - thread: parses pictures; nil for its own thread.
    package init(
        store: some HasCourses & HasFiles & HasRecordings,
        vault: any FileVault,
        space: FileSpace,
        clock: any WallClock,
        random: RandomSource,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        on thread: WorkThread? = nil,
        log: Logger
    ) {
        self.store = (store.courses, store.files, store.recordings)
        self.vault = vault
        self.space = space
        self.clock = clock
        leftovers = Leftovers(startedAt: clock.now)
        self.random = random
        self.metrics = FileMetrics(metrics)
        work = WorkQueue(label: "promised.files.work", about: "files", on: thread)
        self.log = log
    }

    // MARK: - Uploads

    /// Begins an upload, or resumes the one with the same key.
    ///
    /// - Returns: the upload, with its file if it was completed less than 24 h ago.
    /// - Throws: `TextProblem`, `invalid` with the field, `fileTooLarge`, `fileQuota`, `fileLimit`, `requestKeyReused`;
    ///   `unavailable` while the disk is too full.
    package func begin(_ announcement: Upload.Announcement, of userID: UserID) async throws -> FileUpload {
        var announcement = announcement
        announcement.key = try TextRule.creationKey.clean(announcement.key)
        var generator = random
        let now = clock.now
        let beginning = try await store.files.beginUpload(
            announcement,
            of: userID,
            space: space,
            free: try await freeBytes(),
            id: UploadID(at: now, using: &generator),
            at: now
        )
        if case .failure(.fileQuota) = beginning { metrics.note(.quota) }
        if case .failure(.fileNoSpace) = beginning { metrics.note(.noSpace) }
        switch try beginning.get() {
        case .open(let upload):
            guard upload.isComplete, busy.insert(upload.id).inserted else {
                return FileUpload(upload: upload, file: nil)
            }
            // All bytes have arrived, but a full disk or a crash prevented the file from being created.
            defer { busy.remove(upload.id) }
            return FileUpload(upload: upload, file: try await finish(upload, digests[upload.id]))
        case .finished(let file):
            let id = UploadID(high: file.id.high, low: file.id.low)
            let upload = Upload(
                id: id,
                userID: userID,
                announcement: announcement,
                offset: announcement.bytes,
                touchedAt: now
            )
            return FileUpload(upload: upload, file: file)
        }
    }

    /// Accepts the next bytes of an upload; the last ones create the file.
    ///
    /// - Throws: `fileNotFound`, `invalid` with the field, `fileMismatch` (the upload starts over), `fileUnsupported`,
    ///   `fileTooLarge`; `unavailable` while another connection sends bytes of this upload, or the disk is full.
    package func put(
        _ bytes: [UInt8],
        at offset: Int64,
        into id: UploadID,
        of userID: UserID
    ) async throws -> FileUpload {
        guard busy.insert(id).inserted else {
            let message = "Another connection is sending this upload."
            throw ActError.unavailable(retryAfter: .seconds(1), message: message)
        }
        defer { busy.remove(id) }
        guard var upload = try await store.files.upload(id, of: userID) else { throw Refusal.fileNotFound }
        let now = clock.now
        // Checked before writing: a refused chunk must not overwrite existing bytes.
        try upload.take(chunkAt: offset, count: bytes.count, at: now)
        try await inVault { () throws(FileVaultError) in try await self.vault.append(bytes, to: id, at: offset) }
        upload = try await store.files.takeChunk(of: id, of: userID, at: offset, count: bytes.count, now: now).get()
        let digest = takeDigest(of: id, adding: bytes, at: offset)
        guard upload.isComplete else { return FileUpload(upload: upload, file: nil) }
        return FileUpload(upload: upload, file: try await finish(upload, digest))
    }

    /// The digest including a chunk, which is cached; nil if the cached digest lacks bytes before the chunk.
    private func takeDigest(of id: UploadID, adding bytes: [UInt8], at offset: Int64) -> UploadDigest? {
        let known = offset == 0 ? UploadDigest() : digests.removeValue(forKey: id)
        guard var digest = known, digest.count == offset else { return nil }
        digest.add(bytes)
        if digests.count >= Files.mostDigests { digests.remove(at: digests.startIndex) }
        digests[id] = digest
        return digest
    }

    /// The digest of all bytes of a complete upload: the cached one, or one computed from the bytes piece by piece, for
    /// example after a restart. If the bytes are gone, the digest of no bytes.
    private func digest(of upload: Upload, known: UploadDigest?) async throws -> UploadDigest {
        if let known, known.count == upload.announcement.bytes { return known }
        var digest = UploadDigest()
        let bytes: UploadBytes? = try await inVault { () throws(FileVaultError) in
            do throws(FileVaultError) { return try await self.vault.open(upload.id) } catch .missing { return nil }
        }
        while let bytes, digest.count < bytes.count {
            let before = digest
            let after = try await work.run { () -> Result<UploadDigest, FileVaultError> in
                do throws(FileVaultError) {
                    var digest = before
                    digest.add(try bytes.bytes(at: Int(digest.count), most: Files.digestPiece))
                    return .success(digest)
                } catch {
                    return .failure(error)
                }
            }
            digest = try await inVault { () throws(FileVaultError) in try after.get() }
        }
        return digest
    }

    private func finish(_ upload: Upload, _ known: UploadDigest?) async throws -> StoredFile {
        let digest = try await digest(of: upload, known: known)
        // If creating the file fails, the next attempt computes the digest from the bytes.
        digests[upload.id] = nil
        let comparison = try await store.files.compareUpload(upload.id, of: upload.userID, sha256: digest.sha256)
        if case .failure(.fileMismatch) = comparison { metrics.note(.mismatch) }
        _ = try comparison.get()
        var generator = random
        let id = FileID(at: clock.now, using: &generator)
        let file: StoredFile
        switch try await make(id, of: upload, digest) {
        case .success(let made): file = made
        case .failure(let refusal):
            metrics.note(.refused)
            _ = try await store.files.dropUpload(upload.id, of: upload.userID)
            await discard([upload.id])
            throw refusal
        }
        let outcome = try await store.files.finishUpload(upload.id, as: file, at: clock.now)
        if case .failure = outcome { await remove([id]) }
        await discard([upload.id])
        let entered = try outcome.get()
        metrics.note(.finished)
        return entered
    }

    /// Stores the bytes of a complete upload as a file, or returns the refusal.
    private func make(
        _ id: FileID,
        of upload: Upload,
        _ digest: UploadDigest
    ) async throws -> Result<StoredFile, ActError> {
        let maker = FileMaker(upload: upload, metrics: metrics)
        switch upload.announcement.kind {
        case .photo, .picture:
            let bytes = try await inVault { () throws(FileVaultError) in try await self.vault.open(upload.id) }
            let draft = try await inVault { () throws(FileVaultError) in try await self.vault.draft(of: id) }
            let made = try await work.run { () -> Result<Result<StoredFile, ActError>, FileVaultError> in
                do throws(FileVaultError) {
                    return .success(try maker.photo(id, from: bytes, to: draft))
                } catch {
                    return .failure(error)
                }
            }
            let photo = try await inVault { () throws(FileVaultError) in try made.get() }
            if case .success = photo { try await inVault { () throws(FileVaultError) in try await draft.keep() } }
            return photo
        case .track:
            let track = maker.track(id, digest)
            if case .success = track {
                try await inVault { () throws(FileVaultError) in try await self.vault.keep(upload.id, as: id) }
            }
            return track
        case .export: return .failure(.refused(.fileUnsupported))
        }
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
        do throws(FileVaultError) {
            return (file, try await vault.read(id, range))
        } catch {
            throw try await failure(to: id, error)
        }
    }

    /// The error for a file whose bytes the vault could not read.
    private func failure(to id: FileID, _ error: FileVaultError) async throws -> any Error {
        // The file may have been deleted meanwhile.
        guard try await store.files.file(id) != nil else { return Refusal.fileNotFound }
        log.error("A file cannot be read", metadata: ["file": "\(id)", "error": "\(error)"])
        guard error.isOfFile else { return ActError.unavailable(retryAfter: .seconds(10)) }
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
        do throws(FileVaultError) {
            return try await vault.read(id, 0..<file.bytes)
        } catch {
            throw try await failure(to: id, error)
        }
    }

    /// Stores a file that the server made for a user, for a day, or until later ones exceed the limit of a user's
    /// files: otherwise a user could fill the disk by repeated requests.
    ///
    /// - Throws: `unavailable` while the disk is too full.
    package func keepExport(_ bytes: [UInt8], _ contentType: String, for userID: UserID) async throws -> StoredFile {
        try await requireRoom(for: bytes.count)
        let file = exported(contentType, Int64(bytes.count), Array(SHA256.hash(data: bytes)), of: userID)
        try await inVault { () throws(FileVaultError) in try await self.vault.keep(bytes, as: file.id) }
        do {
            await remove(try await store.files.addExport(file, within: space.perUser, at: clock.now))
        } catch {
            await remove([file.id])
            throw error
        }
        return file
    }

    /// The rows of files, by their ids; without deleted ones.
    package func files(_ ids: some Sequence<FileID>) async throws -> [FileID: StoredFile] {
        try await store.files.files(ids)
    }

    // MARK: - Deletion

    /// Deletes the bytes of files whose rows are deleted, a few at a time, so that other users' chunks wait only
    /// briefly. Each sweep retries failed deletions.
    package func remove(_ ids: [FileID]) async {
        for start in stride(from: 0, to: ids.count, by: Files.removedAtOnce) {
            let some = Array(ids[start..<min(start + Files.removedAtOnce, ids.count)])
            do throws(FileVaultError) {
                try await vault.remove(some)
                if !leftovers.undeleted.isEmpty { leftovers.undeleted.subtract(some) }
            } catch {
                leftovers.undeleted.formUnion(some)
                log.error("Files cannot be deleted", metadata: ["error": "\(error)"])
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
            digests[id] = nil
            do throws(FileVaultError) {
                try await vault.discard(id)
            } catch {
                log.error("An upload cannot be deleted", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Deletes unreferenced data: files without an item for ``unusedLifetime``, expired uploads, bytes without a row,
    /// and files left incomplete by a crash.
    package func sweep() async throws {
        let now = clock.now
        await removeLeftovers()
        while case let files = try await store.files.deleteUnusedFiles(before: now - Files.unusedLifetime),
            !files.isEmpty
        {
            await remove(files)
        }
        let forgotten = try await store.files.forgetUploads(at: now)
        metrics.note(.forgotten, forgotten.count)
        await discard(forgotten)
        if let comparedAt = leftovers.comparedAt, now < comparedAt + Files.comparisonInterval { return }
        try await sweepStrays(at: now)
        leftovers.comparedAt = now
    }

    private func sweepStrays(at now: Instant) async throws {
        let contents = try await inVault { () throws(FileVaultError) in try await self.vault.contents() }
        let uploads = try await store.files.uploadIDs()
        await discard(contents.uploads.filter { !uploads.contains($0) && !busy.contains($0) })
        // A stored file that is not yet in the store is young and was made after the start.
        let limit = max(now - Upload.patience, leftovers.startedAt)
        let old = contents.files.keys.filter { $0.madeAt < limit }
        for start in stride(from: 0, to: old.count, by: Files.comparedAtOnce) {
            let some = old[start..<min(start + Files.comparedAtOnce, old.count)]
            let known = try await store.files.files(some)
            await remove(some.filter { known[$0] == nil })
        }
        let drafts = contents.drafts.filter { $0.madeAt < limit }
        try await inVault { () throws(FileVaultError) in try await self.vault.discardDrafts(of: Array(drafts)) }
    }

    // MARK: - The vault

    /// `false` while less than ``FileSpace/keepFree`` is free on the vault's disk. `true` if that is unknown.
    package func hasRoom() async -> Bool {
        guard let free = try? await freeBytes() else { return true }
        return free >= space.keepFree
    }

    func freeBytes() async throws -> Int64? {
        try await inVault { () throws(FileVaultError) in try await self.vault.freeBytes() }
    }

    func inVault<Value: Sendable>(
        _ body: () async throws(FileVaultError) -> Value
    ) async throws -> Value {
        do throws(FileVaultError) {
            return try await body()
        } catch .full {
            throw ActError.unavailable(retryAfter: .seconds(60), message: "The server's disk is full.")
        } catch {
            log.error("The files cannot be reached", metadata: ["error": "\(error)"])
            throw ActError.unavailable(retryAfter: .seconds(10))
        }
    }
}

/// An upload, with its file once it is complete.
package struct FileUpload: Hashable, Sendable {
    package let upload: Upload
    /// nil until all bytes have arrived.
    package let file: StoredFile?
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

extension ID {
    /// The creation time: the first 48 bits of a UUIDv7 (RFC 9562, section 5.7).
    var madeAt: Instant { Instant(milliseconds: Int64(high >> 16)) }
}
