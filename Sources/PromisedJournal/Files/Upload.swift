package import PromisedDomain

package typealias UploadID = ID<Upload>

/// A file being uploaded in chunks.
///
/// ```
///            chunk at the offset            all bytes there         digest right
/// (begun) ──────────────────────▶ open ──────────────────▶ complete ────────────▶ a file
///                                  ▲ │                        │
///                     begun again ─┘ └ an hour: forgotten     └ wrong: open at offset 0
/// ```
package struct Upload: Hashable, Sendable {
    /// The file that a client is about to send.
    package struct Announcement: Hashable, Sendable {
        /// Identifies the upload among the user's, 1–64 characters.
        package var key: String
        /// The purpose; not an export.
        package var kind: StoredFile.Kind
        /// The size in bytes.
        package var bytes: Int64
        /// The SHA-256 of the bytes.
        package var sha256: [UInt8]

        package init(key: String, kind: StoredFile.Kind, bytes: Int64, sha256: [UInt8]) {
            self.key = key
            self.kind = kind
            self.bytes = bytes
            self.sha256 = sha256
        }

        /// Checks kind, size and digest. Throws `invalid` with the field, `fileTooLarge`.
        func check() throws(Refusal) {
            guard let most = kind.mostBytes else { throw .invalid(field: "kind") }
            guard bytes > 0 else { throw .invalid(field: "bytes") }
            guard bytes <= most else { throw .fileTooLarge }
            guard sha256.count == 32 else { throw .invalid(field: "sha256") }
        }
    }

    /// The most bytes of a chunk.
    package static let chunkBytes = 45_000
    /// The most open uploads of a user.
    package static let mostOpen = 3
    /// An upload expires this long after its begin or its last chunk.
    package static let patience = TimeSpan.hours(1)

    package let id: UploadID
    /// The owner.
    package let userID: UserID
    /// The announced file.
    package let announcement: Announcement
    /// The number of bytes received, 0 to the announced size.
    package private(set) var offset: Int64
    /// When it began or the last chunk arrived.
    package private(set) var touchedAt: Instant

    /// Restores a stored upload.
    package init(id: UploadID, userID: UserID, announcement: Announcement, offset: Int64, touchedAt: Instant) {
        self.id = id
        self.userID = userID
        self.announcement = announcement
        self.offset = offset
        self.touchedAt = touchedAt
    }

    /// When it expires unless another chunk arrives; from this instant on it does not exist.
    package var expiresAt: Instant { touchedAt + Self.patience }

    /// `true` once all bytes are received, so that the digest can be compared.
    package var isComplete: Bool { offset == announcement.bytes }

    /// Accepts a chunk.
    ///
    /// - Parameters:
    ///   - offset: the number of bytes before it, as the client counts.
    ///   - count: the bytes of the chunk.
    ///   - now: the server's clock.
    /// - Throws: `fileNotFound` once the upload has expired; `invalid` with the field `offset` for a chunk that is not
    ///   the next, or `data` for an empty or too long one, or one beyond the announced size.
    package mutating func take(chunkAt offset: Int64, count: Int, at now: Instant) throws(Refusal) {
        guard now < expiresAt else { throw .fileNotFound }
        guard offset == self.offset else { throw .invalid(field: "offset") }
        guard (1...Self.chunkBytes).contains(count), Int64(count) <= announcement.bytes - offset else {
            throw .invalid(field: "data")
        }
        self.offset += Int64(count)
        touchedAt = now
    }

    /// Compares the digest of the bytes of a complete upload. If it differs from the announced one, the upload starts
    /// over.
    ///
    /// - Returns: `true` if the digests are equal; with `false` the refusal is `fileMismatch`.
    /// - Precondition: the upload is complete.
    package mutating func finish(sha256: [UInt8]) -> Bool {
        precondition(isComplete, "An upload is finished when all bytes are there")
        if sha256 == announcement.sha256 { return true }
        offset = 0
        return false
    }
}
