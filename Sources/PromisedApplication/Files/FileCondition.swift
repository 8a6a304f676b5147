internal import Crypto
internal import PromisedJournal

/// The bytes of a file compared with its row.
enum FileCondition: Hashable, Sendable {
    /// Size and digest match the row.
    case sound
    /// The bytes do not exist.
    case missing
    /// Size or digest differ, or the bytes cannot be read.
    case damaged

    /// How many bytes are read at a time.
    fileprivate static let piece: Int64 = 1 << 20
}

extension FileStorage {
    /// Reads a whole file in pieces of at most 1 MiB and compares it with its row.
    ///
    /// - Parameters:
    ///   - size: its size by ``FileStorage/contents()``; nil if it was missing.
    ///   - take: called with each piece and its offset, ascending; for an empty file, once without bytes.
    /// - Throws: the errors of `take`.
    func condition(
        of file: StoredFile,
        size: Int64?,
        take: (_ bytes: [UInt8], _ offset: Int64) async throws(FileStorageError) -> Void
    ) async throws(FileStorageError) -> FileCondition {
        guard let size else { return .missing }
        guard size == file.bytes else { return .damaged }
        var digest = SHA256()
        var offset: Int64 = 0
        repeat {
            let end = min(offset + FileCondition.piece, file.bytes)
            let bytes: [UInt8]
            do throws(FileStorageError) {
                bytes = try await read(file.id, offset..<end)
            } catch {
                // The file may have been removed meanwhile.
                return error == .missing ? .missing : .damaged
            }
            digest.update(data: bytes)
            try await take(bytes, offset)
            offset = end
        } while offset < file.bytes
        return digest.finalize().elementsEqual(file.sha256) ? .sound : .damaged
    }
}
