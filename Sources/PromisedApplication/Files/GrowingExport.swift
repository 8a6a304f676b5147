internal import Crypto
internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedJournal
internal import PromisedStore

/// An export whose bytes are being written to the storage, piece by piece.
struct GrowingExport: Sendable {
    let pending: PendingExport
    /// The id under which its bytes grow.
    let id: UploadID
    /// The bytes so far.
    fileprivate(set) var bytes: Int64 = 0

    fileprivate init(_ pending: PendingExport, as id: UploadID) {
        (self.pending, self.id) = (pending, id)
    }
}

/// The files that the server makes for users; those too large for memory grow piece by piece.
///
/// ```
/// grow ─▶ append, append, … ─▶ finish ─▶ the export exists
///                    └──────── abandon ─▶ nothing is left
/// ```
/// The sweep skips exports in progress. After a crash it deletes their bytes, because the store does not know them.
struct ExportFiles: Sendable {
    let store: FileStore
    let access: FileAccess
    let open: OpenUploads
    let deletions: FileDeletions
    let space: FileSpace
    /// The clock of files, which is never scaled.
    let clock: any WallClock
    let random: RandomSource

    /// Begins an export; end it with ``finish(_:sha256:contentType:)`` or ``abandon(_:)``.
    ///
    /// - Throws: `unavailable` while the disk is too full.
    func grow(_ pending: PendingExport) async throws -> GrowingExport {
        try await requireRoom()
        var generator = random
        let export = GrowingExport(pending, as: UploadID(at: clock.now, using: &generator))
        _ = open.enter(export.id)
        return export
    }

    /// Appends bytes to an export. Throws `unavailable` while the disk is too full.
    ///
    /// - Returns: `false`, with nothing written, if the export is no longer in progress.
    func append(_ bytes: [UInt8], to export: inout GrowingExport) async throws -> Bool {
        guard try await store.isAtWork(export.pending) else { return false }
        try await requireRoom(for: bytes.count)
        let (id, offset) = (export.id, export.bytes)
        try await access.reach { try await $0.append(bytes, to: id, at: offset) }
        export.bytes += Int64(bytes.count)
        return true
    }

    /// Turns a complete export into a file, and ends it. Throws `unavailable`; then nothing is left behind.
    ///
    /// - Parameter sha256: the digest of all bytes.
    /// - Returns: the file; nil, with nothing left behind, if the export is no longer in progress.
    func finish(
        _ export: GrowingExport,
        sha256: [UInt8],
        contentType: String
    ) async throws -> StoredFile? {
        let file = exported(contentType, export.bytes, sha256, of: export.pending.userID)
        do {
            try await access.reach { try await $0.adopt(export.id, as: file.id) }
            open.leave(export.id)
            if try await store.finish(export.pending, as: file, at: clock.now) { return file }
            await deletions.remove([file.id])
            return nil
        } catch {
            await abandon(export)
            await deletions.remove([file.id])
            throw error
        }
    }

    /// Deletes the bytes of an abandoned export.
    func abandon(_ export: GrowingExport) async {
        await deletions.discard([export.id])
        open.leave(export.id)
    }

    /// Checks that the disk keeps the required free space after writing a number of bytes. Throws `unavailable`.
    func requireRoom(for bytes: Int = 0) async throws {
        guard let free = try await access.reach({ try await $0.freeBytes() }), free - Int64(bytes) < space.keepFree
        else { return }
        throw ApplicationError.unavailable(retryAfter: .seconds(60), message: "The server's disk is full.")
    }

    /// The file of a completed export.
    private func exported(_ contentType: String, _ bytes: Int64, _ sha256: [UInt8], of userID: UserID) -> StoredFile {
        var generator = random
        return StoredFile(
            id: FileID(at: clock.now, using: &generator),
            userID: userID,
            kind: .export,
            contentType: contentType,
            bytes: bytes,
            sha256: sha256
        )
    }

    /// Stores a file that the server made for a user, for a day, or until later ones exceed the limit of a user's
    /// files: otherwise a user could fill the disk by repeated requests.
    ///
    /// - Throws: `unavailable` while the disk is too full.
    func keep(_ bytes: [UInt8], _ contentType: String, for userID: UserID) async throws -> StoredFile {
        try await requireRoom(for: bytes.count)
        let file = exported(contentType, Int64(bytes.count), Array(SHA256.hash(data: bytes)), of: userID)
        try await access.reach { try await $0.keep(bytes, as: file.id) }
        do {
            await deletions.remove(try await store.addExport(file, within: space.perUser, at: clock.now))
        } catch {
            await deletions.remove([file.id])
            throw error
        }
        return file
    }
}
