internal import Crypto
internal import PromisedDomain

/// The bytes of a file, compared with its row.
enum FileCondition: Hashable, Sendable {
    /// Size and digest are those of the row.
    case sound
    /// There are none.
    case missing
    /// Size or digest differ, or the disk does not give the bytes.
    case damaged

    /// The bytes that are read at a time.
    fileprivate static let piece: Int64 = 1 << 20
}

extension FileVault {
    /// Reads a whole file in pieces of at most 1 MiB and compares it with its row.
    ///
    /// - Parameters:
    ///   - size: its bytes by ``FileVault/contents()``; nil if it was not there.
    ///   - take: gets each piece with its offset, ascending; of an empty file one without bytes.
    /// - Throws: the errors of `take`.
    func condition(
        of file: StoredFile,
        size: Int64?,
        take: (_ bytes: [UInt8], _ offset: Int64) async throws(FileVaultError) -> Void
    ) async throws(FileVaultError) -> FileCondition {
        guard let size else { return .missing }
        guard size == file.bytes else { return .damaged }
        var digest = SHA256()
        var offset: Int64 = 0
        repeat {
            let end = min(offset + FileCondition.piece, file.bytes)
            let bytes: [UInt8]
            do throws(FileVaultError) {
                bytes = try await read(file.id, offset..<end)
            } catch {
                // It may have been removed meanwhile.
                return error == .missing ? .missing : .damaged
            }
            digest.update(data: bytes)
            try await take(bytes, offset)
            offset = end
        } while offset < file.bytes
        return digest.finalize().elementsEqual(file.sha256) ? .sound : .damaged
    }
}
