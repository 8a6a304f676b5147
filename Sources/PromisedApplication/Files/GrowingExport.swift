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

/// Exports too large for memory.
///
/// ```
/// grow ─▶ append, append, … ─▶ finish ─▶ the export exists
///                    └──────── abandon ─▶ nothing is left
/// ```
/// The sweep skips exports in progress. After a crash it deletes their bytes, because the store does not know them.
extension Files {
    /// Begins an export; end it with ``finish(_:sha256:contentType:)`` or ``abandon(_:)``.
    ///
    /// - Throws: `unavailable` while the disk is too full.
    func grow(_ pending: PendingExport) async throws -> GrowingExport {
        try await requireRoom()
        var generator = random
        let export = GrowingExport(pending, as: UploadID(at: clock.now, using: &generator))
        busy.insert(export.id)
        return export
    }

    /// Appends bytes to an export. Throws `unavailable` while the disk is too full.
    ///
    /// - Returns: `false`, with nothing written, if the export is no longer in progress.
    func append(_ bytes: [UInt8], to export: inout GrowingExport) async throws -> Bool {
        guard try await store.files.isAtWork(export.pending) else { return false }
        try await requireRoom(for: bytes.count)
        let (id, offset) = (export.id, export.bytes)
        try await inStorage { () throws(FileStorageError) in try await self.storage.append(bytes, to: id, at: offset) }
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
            try await inStorage { () throws(FileStorageError) in try await self.storage.adopt(export.id, as: file.id) }
            busy.remove(export.id)
            if try await store.files.finish(export.pending, as: file, at: clock.now) { return file }
            await remove([file.id])
            return nil
        } catch {
            await abandon(export)
            await remove([file.id])
            throw error
        }
    }

    /// Deletes the bytes of an abandoned export.
    func abandon(_ export: GrowingExport) async {
        await discard([export.id])
        busy.remove(export.id)
    }

    /// Checks that the disk keeps the required free space after writing a number of bytes. Throws `unavailable`.
    func requireRoom(for bytes: Int = 0) async throws {
        guard let free = try await freeBytes(), free - Int64(bytes) < space.keepFree else { return }
        throw ApplicationError.unavailable(retryAfter: .seconds(60), message: "The server's disk is full.")
    }

    /// The file of a completed export.
    func exported(_ contentType: String, _ bytes: Int64, _ sha256: [UInt8], of userID: UserID) -> StoredFile {
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
}
