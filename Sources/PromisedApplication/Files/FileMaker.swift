internal import Crypto
internal import PromisedDomain
internal import PromisedFormats
internal import PromisedJournal

/// Turns a complete upload into a photo or profile picture, piece by piece, so that its memory does not grow with the
/// file.
struct FileMaker: Sendable {
    let upload: Upload
    let metrics: FileMetrics

    /// Writes the picture without metadata into a draft.
    ///
    /// Reads and writes on the caller's thread.
    ///
    /// - Returns: the file; or `fileUnsupported`, `fileTooLarge`, with a sentence about the actual content.
    /// - Throws: errors of the storage.
    func photo(
        _ id: FileID,
        from bytes: UploadBytes,
        to draft: FileDraft
    ) throws(FileStorageError) -> Result<StoredFile, ApplicationError> {
        // The image reader cannot throw a storage's errors, so they are stored here.
        var failure: FileStorageError?
        func source(_ bytes: UploadBytes) -> ByteSource {
            ByteSource(count: bytes.count) { offset, buffer throws(ImageProblem) in
                do throws(FileStorageError) { try bytes.read(offset, buffer) } catch {
                    failure = error
                    throw .truncated
                }
            }
        }
        let made: Result<StoredFile, ApplicationError>
        do throws(ImageProblem) {
            let image = try CheckedImage(source(bytes), limits: upload.announcement.kind.imageLimits)
            var (hash, count) = (SHA256(), 0)
            try image.write { piece throws(ImageProblem) in
                do throws(FileStorageError) { try draft.write(piece, count) } catch {
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
        // A read error must not be mistaken for damaged metadata, which is omitted.
        if let failure { throw failure }
        return made
    }

    /// A message from a reason that begins with a lower-case letter.
    private static func sentence(_ reason: String) -> String {
        reason.prefix(1).uppercased() + reason.dropFirst() + "."
    }

    private func file(_ id: FileID, of image: CheckedImage, _ count: Int, _ sha256: [UInt8]) -> StoredFile {
        StoredFile(
            id: id,
            userID: upload.userID,
            kind: upload.announcement.kind,
            contentType: image.format.contentType,
            bytes: Int64(count),
            sha256: sha256,
            width: image.width,
            height: image.height,
            orientation: image.orientation
        )
    }

    /// A track, kept unchanged; or `fileUnsupported`, with a sentence about the actual content, if it does not begin
    /// like an XML document or like gzip data.
    func track(_ id: FileID, _ digest: UploadDigest) -> Result<StoredFile, ApplicationError> {
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

extension StoredFile.Kind {
    /// The limits of a picture of this kind; a profile picture is shown small, in lists.
    fileprivate var imageLimits: ImageLimits {
        switch self {
        case .picture: ImageLimits(bytes: 65_536, side: 512, pixels: 512 * 512)
        case .photo, .track, .export: ImageLimits()
        }
    }
}
