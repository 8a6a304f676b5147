internal import Crypto
internal import PromisedDomain
internal import PromisedFormats

/// Makes a photo of the bytes of a complete upload, piece by piece: its memory does not grow with the file.
struct FileMaker: Sendable {
    let upload: Upload
    let metrics: FileMetrics

    /// Writes the picture without metadata into a draft.
    ///
    /// Reads and writes on the caller's thread.
    ///
    /// - Returns: the file; or `fileUnsupported`, `fileTooLarge`, with a sentence that says what was found.
    /// - Throws: the errors of the vault.
    func photo(
        _ id: FileID,
        from bytes: UploadBytes,
        to draft: FileDraft
    ) throws(FileVaultError) -> Result<StoredFile, ActError> {
        // The reader of pictures knows nothing of vaults: their errors are kept here.
        var failure: FileVaultError?
        func source(_ bytes: UploadBytes) -> ByteSource {
            ByteSource(count: bytes.count) { offset, buffer throws(ImageProblem) in
                do throws(FileVaultError) { try bytes.read(offset, buffer) } catch {
                    failure = error
                    throw .truncated
                }
            }
        }
        let made: Result<StoredFile, ActError>
        do throws(ImageProblem) {
            let image = try CheckedImage(source(bytes))
            var (hash, count) = (SHA256(), 0)
            try image.write { piece throws(ImageProblem) in
                do throws(FileVaultError) { try draft.write(piece, count) } catch {
                    failure = error
                    throw .truncated
                }
                hash.update(bufferPointer: piece)
                count += piece.count
            }
            try ForeignFormat.refuse(source(draft.bytes(count: count)))
            made = .success(file(id, of: image, count, Array(hash.finalize())))
        } catch {
            if failure == nil { metrics.refused(error.reason) }
            made = .failure(
                .refused(error.isTooLarge ? .fileTooLarge : .fileUnsupported, message: Self.sentence(error.description))
            )
        }
        // A read error must not pass for damaged metadata, which is left out.
        if let failure { throw failure }
        return made
    }

    /// A message of a reason that begins with a small letter.
    private static func sentence(_ reason: String) -> String {
        reason.prefix(1).uppercased() + reason.dropFirst() + "."
    }

    private func file(_ id: FileID, of image: CheckedImage, _ count: Int, _ sha256: [UInt8]) -> StoredFile {
        StoredFile(
            id: id,
            userID: upload.userID,
            kind: .photo,
            contentType: image.format.contentType,
            bytes: Int64(count),
            sha256: sha256,
            width: image.width,
            height: image.height,
            orientation: image.orientation
        )
    }

    /// A track, which is kept as it came; or `fileUnsupported` if it does not begin like a document of XML, or like one that
    /// is compressed by gzip, with a sentence that says what was found.
    func track(_ id: FileID, _ digest: UploadDigest) -> Result<StoredFile, ActError> {
        let found = FoundFormat(sniffing: digest.head)
        guard digest.looksLikeXML || found == .gzip else {
            let advice = found == .utf16 ? "save it in UTF-8" : "send a GPX file"
            let message = "The file is \(found?.rawValue ?? "no document of XML"): \(advice)."
            return .failure(.refused(.fileUnsupported, message: message))
        }
        let file = StoredFile(
            id: id,
            userID: upload.userID,
            kind: .track,
            contentType: found == .gzip ? "application/gzip" : "application/gpx+xml",
            bytes: digest.count,
            sha256: digest.sha256
        )
        return .success(file)
    }
}
