internal import PromisedAccess
package import PromisedDomain
internal import PromisedEngine
package import PromisedJournal
internal import PromisedStore

/// The uploads of users, in chunks.
///
/// ```
/// begin ─▶ put, put, … ─▶ digest ─▶ strip metadata ─▶ storage ─▶ store: the file exists
///   ▲          │             └ wrong: restart at 0
///   └ resumed ─┘
/// ```
package struct FileUploads: Sendable {
    /// How many bytes are read at a time to recompute a digest.
    private static let digestPiece = 262_144

    let store: FileStore
    let access: FileAccess
    let open: OpenUploads
    let deletions: FileDeletions
    let space: FileSpace
    let clock: any WallClock
    let random: RandomSource
    let metrics: FileMetrics
    /// Parses pictures: one of 5 MiB takes about ten milliseconds.
    let work: WorkQueue

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
            free: try await access.reach { try await $0.freeBytes() },
            id: UploadID(at: now, using: &generator),
            at: now
        )
        if case .failure(.fileQuota) = beginning { metrics.note(.quota) }
        if case .failure(.fileNoSpace) = beginning { metrics.note(.noSpace) }
        switch try beginning.get() {
        case .open(let upload):
            guard upload.isComplete, open.enter(upload.id) else {
                return FileUpload(upload: upload, file: nil)
            }
            // All bytes have arrived, but a full disk or a crash prevented the file from being created.
            defer { open.leave(upload.id) }
            return FileUpload(upload: upload, file: try await finish(upload, open.digest(of: upload.id)))
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
        guard open.enter(id) else {
            let message = "Another connection is sending this upload."
            throw ApplicationError.unavailable(retryAfter: .seconds(1), message: message)
        }
        defer { open.leave(id) }
        guard var upload = try await store.upload(id, of: userID) else { throw Refusal.fileNotFound }
        let now = clock.now
        // Checked before writing: a refused chunk must not overwrite existing bytes.
        try upload.take(chunkAt: offset, count: bytes.count, at: now)
        try await access.reach { try await $0.append(bytes, to: id, at: offset) }
        upload = try await store.takeChunk(of: id, of: userID, at: offset, count: bytes.count, now: now).get()
        let digest = open.takeDigest(of: id, adding: bytes, at: offset)
        guard upload.isComplete else { return FileUpload(upload: upload, file: nil) }
        return FileUpload(upload: upload, file: try await finish(upload, digest))
    }

    /// The digest of all bytes of a complete upload: the cached one, or one computed from the bytes piece by piece, for
    /// example after a restart. If the bytes are gone, the digest of no bytes.
    private func digest(of upload: Upload, known: UploadDigest?) async throws -> UploadDigest {
        if let known, known.count == upload.announcement.bytes { return known }
        var digest = UploadDigest()
        let bytes: UploadBytes? = try await access.reach { storage in
            do throws(FileStorageError) { return try await storage.open(upload.id) } catch .missing { return nil }
        }
        while let bytes, digest.count < bytes.count {
            let before = digest
            let after = try await work.run {
                Result {
                    var digest = before
                    digest.add(try bytes.bytes(at: Int(digest.count), most: FileUploads.digestPiece))
                    return digest
                }
            }
            digest = try await access.reach { _ in try after.get() }
        }
        return digest
    }

    private func finish(_ upload: Upload, _ known: UploadDigest?) async throws -> StoredFile {
        let digest = try await digest(of: upload, known: known)
        // If creating the file fails, the next attempt computes the digest from the bytes.
        open.forgetDigest(of: upload.id)
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
            await deletions.discard([upload.id])
            throw refusal
        }
        let outcome = try await store.finishUpload(upload.id, as: file, at: clock.now)
        if case .failure = outcome { await deletions.remove([id]) }
        await deletions.discard([upload.id])
        let entered = try outcome.get()
        metrics.note(.finished)
        return entered
    }

    /// Stores the bytes of a complete upload as a file, or returns the refusal.
    private func make(
        _ id: FileID,
        of upload: Upload,
        _ digest: UploadDigest
    ) async throws -> Result<StoredFile, ApplicationError> {
        let maker = FileMaker(upload: upload, metrics: metrics)
        switch upload.announcement.kind {
        case .photo, .picture:
            let bytes = try await access.reach { try await $0.open(upload.id) }
            let draft = try await access.reach { try await $0.draft(of: id) }
            let made = try await work.run { Result { try maker.photo(id, from: bytes, to: draft) } }
            let photo = try await access.reach { _ in try made.get() }
            if case .success = photo { try await access.reach { _ in try await draft.keep() } }
            return photo
        case .track:
            let track = maker.track(id, digest)
            if case .success = track {
                try await access.reach { try await $0.keep(upload.id, as: id) }
            }
            return track
        case .export: return .failure(.refused(.fileUnsupported))
        }
    }
}

/// An upload, with its file once it is complete.
package struct FileUpload: Hashable, Sendable {
    package let upload: Upload
    /// nil until all bytes have arrived.
    package let file: StoredFile?
}
