package import CoreMetrics
internal import Crypto
package import Logging
internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedStore

/// The files of users: uploads in chunks, reading in pieces, deletion.
///
/// ```
/// begin ─▶ put, put, … ─▶ digest ─▶ metadata cut ─▶ vault ─▶ store: the file exists
///   ▲          │             └ wrong: over from 0
///   └ resumed ─┘
/// ```
package actor Files {
    /// How long a file that nothing refers to is kept.
    package static let unusedLifetime = TimeSpan.days(1)
    /// How often the sweep looks at all files for bytes without a row, which only a crash or a fault of the disk leaves; the
    /// first time at the start.
    private static let comparisonInterval = TimeSpan.minutes(10)
    /// The files that are deleted from the disk at a time.
    private static let removedAtOnce = 256
    /// The files that one read of the store compares.
    private static let comparedAtOnce = 500

    let store: Store
    /// The bytes of the files.
    package nonisolated let vault: any FileVault
    let space: FileSpace
    /// Dates everything about files.
    nonisolated let clock: any WallClock
    let random: RandomSource
    let log: Logger
    private let metrics: FileMetrics
    /// Pictures are taken apart here: one of 5 MiB takes some ten milliseconds.
    private let work: WorkQueue
    /// The files that could not be read since the start.
    package private(set) var unreadable = UnreadableFiles()
    private var leftovers: Leftovers
    /// Uploads of which a chunk is being written, so that two connections cannot write one at once, and exports that grow.
    var busy: Set<UploadID> = []
    /// The digests of open uploads, as far as their chunks came since the start of the server.
    private var digests: [UploadID: UploadDigest] = [:]
    /// The most digests that are kept, of 200 bytes each; others are taken anew at the end of their uploads.
    private static let mostDigests = 4_096
    /// The bytes that are read at a time to take a digest anew.
    private static let digestPiece = 262_144

    /// The files in a store, with their bytes in a vault.
    ///
    /// - Parameters:
    ///   - clock: real time, even if the server's clock is scaled: uploads and exports take their time.
    ///   - metrics: makes the counters of uploads; none by default.
    ///   - thread: takes pictures apart; nil for a thread of its own.
    package init(
        store: Store,
        vault: any FileVault,
        space: FileSpace,
        clock: any WallClock,
        random: RandomSource,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        on thread: WorkThread? = nil,
        log: Logger
    ) {
        self.store = store
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
        let beginning = try await store.beginUpload(
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
            // All bytes are there, but a full disk or a crash kept them from becoming a file.
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

    /// Takes the next bytes of an upload; the last ones make the file.
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
        guard var upload = try await store.upload(id, of: userID) else { throw Refusal.fileNotFound }
        let now = clock.now
        // Checked before anything is written: what is there must not be replaced by a chunk that is refused.
        try upload.take(chunkAt: offset, count: bytes.count, at: now)
        try await inVault { () throws(FileVaultError) in try await self.vault.append(bytes, to: id, at: offset) }
        upload = try await store.takeChunk(of: id, of: userID, at: offset, count: bytes.count, now: now).get()
        let digest = takeDigest(of: id, adding: bytes, at: offset)
        guard upload.isComplete else { return FileUpload(upload: upload, file: nil) }
        return FileUpload(upload: upload, file: try await finish(upload, digest))
    }

    /// The digest after a chunk, which is remembered; nil if the bytes before the chunk are not in it.
    private func takeDigest(of id: UploadID, adding bytes: [UInt8], at offset: Int64) -> UploadDigest? {
        let known = offset == 0 ? UploadDigest() : digests.removeValue(forKey: id)
        guard var digest = known, digest.count == offset else { return nil }
        digest.add(bytes)
        if digests.count >= Files.mostDigests { digests.remove(at: digests.startIndex) }
        digests[id] = digest
        return digest
    }

    /// The digest of all bytes of a complete upload: the known one, or one that is taken from the bytes piece by piece, as
    /// after a restart. Of bytes that are gone it is the digest of none.
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
        // If the file is not made, the digest is taken from the bytes the next time.
        digests[upload.id] = nil
        let comparison = try await store.compareUpload(upload.id, of: upload.userID, sha256: digest.sha256)
        if case .failure(.fileMismatch) = comparison { metrics.note(.mismatch) }
        _ = try comparison.get()
        var generator = random
        let id = FileID(at: clock.now, using: &generator)
        let file: StoredFile
        switch try await make(id, of: upload, digest) {
        case .success(let made): file = made
        case .failure(let refusal):
            metrics.note(.refused)
            _ = try await store.dropUpload(upload.id, of: upload.userID)
            await discard([upload.id])
            throw refusal
        }
        let outcome = try await store.finishUpload(upload.id, as: file, at: clock.now)
        if case .failure = outcome { await remove([id]) }
        await discard([upload.id])
        let entered = try outcome.get()
        metrics.note(.finished)
        return entered
    }

    /// Keeps the bytes of a complete upload as a file, or returns the refusal.
    private func make(
        _ id: FileID,
        of upload: Upload,
        _ digest: UploadDigest
    ) async throws -> Result<StoredFile, ActError> {
        let maker = FileMaker(upload: upload, metrics: metrics)
        switch upload.announcement.kind {
        case .photo:
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

    /// A part of a file that a user may read: their own, or one of a visit or a course that they may see.
    ///
    /// - Throws: `fileNotFound`, `fileUnreadable`, `invalid` with the field.
    package func read(
        _ id: FileID,
        from offset: Int64,
        limit: Int,
        by userID: UserID
    ) async throws -> (file: StoredFile, bytes: [UInt8]) {
        guard let file = try await store.file(id, readableBy: userID) else { throw Refusal.fileNotFound }
        let range = try file.range(from: offset, limit: limit)
        do throws(FileVaultError) {
            return (file, try await vault.read(id, range))
        } catch {
            throw try await failure(to: id, error)
        }
    }

    /// The error for a file whose bytes the vault does not give.
    private func failure(to id: FileID, _ error: FileVaultError) async throws -> any Error {
        // It may have been deleted meanwhile.
        guard try await store.file(id) != nil else { return Refusal.fileNotFound }
        log.error("A file cannot be read", metadata: ["file": "\(id)", "error": "\(error)"])
        guard error.isOfFile else { return ActError.unavailable(retryAfter: .seconds(10)) }
        unreadable.add(id)
        return Refusal.fileUnreadable
    }

    /// All bytes of a file of the user's own. Throws `fileNotFound`, also for a file of another kind, and for a track that
    /// was imported before; `fileUnreadable` for one whose bytes are missing, as after a restoration without them.
    package func content(of id: FileID, _ kind: StoredFile.Kind, of userID: UserID) async throws -> [UInt8] {
        guard let kept = try await store.file(id), kept.file.userID == userID, kept.file.kind == kind,
            kind != .track || kept.usedAt == nil
        else { throw Refusal.fileNotFound }
        let file = kept.file
        do throws(FileVaultError) {
            return try await vault.read(id, 0..<file.bytes)
        } catch {
            throw try await failure(to: id, error)
        }
    }

    /// Keeps a file that the server made for a user, for a day, or until the later ones take as much as a user's files may:
    /// otherwise a user could fill the disk by repeated requests.
    ///
    /// - Throws: `unavailable` while the disk is too full.
    package func keepExport(_ bytes: [UInt8], _ contentType: String, for userID: UserID) async throws -> StoredFile {
        try await requireRoom(for: bytes.count)
        let file = exported(contentType, Int64(bytes.count), Array(SHA256.hash(data: bytes)), of: userID)
        try await inVault { () throws(FileVaultError) in try await self.vault.keep(bytes, as: file.id) }
        do {
            await remove(try await store.addExport(file, within: space.perUser, at: clock.now))
        } catch {
            await remove([file.id])
            throw error
        }
        return file
    }

    /// The rows of files, by their ids; files that are gone are left out.
    package func files(_ ids: some Sequence<FileID>) async throws -> [FileID: StoredFile] {
        try await store.files(ids)
    }

    // MARK: - Deletion

    /// Deletes the bytes of files whose rows are gone, some at a time, so that chunks of others wait for few. Each sweep
    /// tries those again that could not be deleted.
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

    /// Deletes the bytes of the first part of a deletion before the reply, if it is the only one. Otherwise they are
    /// deleted with the second part: to delete a hundred files takes as long as the rest of the request.
    package func removeFirst(_ erasure: Erasure) async {
        guard !erasure.isComplete else { return await remove(erasure) }
        leftovers.undeleted.formUnion(erasure.files)
        await discard(erasure.uploads)
    }

    /// Deletes the bytes that an earlier part of a deletion left, or that could not be deleted.
    package func removeLeftovers() async {
        if !leftovers.undeleted.isEmpty { await remove(Array(leftovers.undeleted)) }
    }

    /// Deletes the bytes of what a deletion took.
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

    /// Deletes what nothing refers to: files without an item for ``unusedLifetime``, forgotten uploads, bytes that have no
    /// row, and files whose writing a crash ended.
    package func sweep() async throws {
        let now = clock.now
        await removeLeftovers()
        while case let files = try await store.deleteUnusedFiles(before: now - Files.unusedLifetime), !files.isEmpty {
            await remove(files)
        }
        let forgotten = try await store.forgetUploads(at: now)
        metrics.note(.forgotten, forgotten.count)
        await discard(forgotten)
        if let comparedAt = leftovers.comparedAt, now < comparedAt + Files.comparisonInterval { return }
        try await sweepStrays(at: now)
        leftovers.comparedAt = now
    }

    private func sweepStrays(at now: Instant) async throws {
        let contents = try await inVault { () throws(FileVaultError) in try await self.vault.contents() }
        let uploads = try await store.uploadIDs()
        await discard(contents.uploads.filter { !uploads.contains($0) && !busy.contains($0) })
        // A file that is kept, but not entered yet, is young; none is from before the start.
        let limit = max(now - Upload.patience, leftovers.startedAt)
        let old = contents.files.keys.filter { $0.madeAt < limit }
        for start in stride(from: 0, to: old.count, by: Files.comparedAtOnce) {
            let some = old[start..<min(start + Files.comparedAtOnce, old.count)]
            let known = try await store.files(some)
            await remove(some.filter { known[$0] == nil })
        }
        let drafts = contents.drafts.filter { $0.madeAt < limit }
        try await inVault { () throws(FileVaultError) in try await self.vault.discardDrafts(of: Array(drafts)) }
    }

    // MARK: - The vault

    /// `false` while less than ``FileSpace/keepFree`` is free on the disk of the vault. `true` if nothing is known of it.
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

/// An upload, with the file it has become once it is complete.
package struct FileUpload: Hashable, Sendable {
    /// The upload.
    package let upload: Upload
    /// The file; nil until all bytes are there.
    package let file: StoredFile?
}

/// The files that could not be read since the start of the server.
package struct UnreadableFiles: Hashable, Sendable {
    /// Their number; one that fails again counts once, up to ``most``.
    package var count: Int { ids.count }
    /// The last of them; nil if there is none.
    package private(set) var last: FileID?
    private var ids: Set<FileID> = []
    /// The most files that are told apart.
    private static let most = 10_000

    /// Notes a file.
    mutating func add(_ id: FileID) {
        last = id
        if ids.count < Self.most { ids.insert(id) }
    }
}

extension ID {
    /// When it was made: the first 48 bits of a UUIDv7 (RFC 9562, section 5.7).
    var madeAt: Instant { Instant(milliseconds: Int64(high >> 16)) }
}
