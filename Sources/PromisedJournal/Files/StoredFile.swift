package import PromisedDomain

package typealias FileID = ID<StoredFile>

/// A file that the server stores for one user.
package struct StoredFile: Hashable, Sendable {
    /// The purpose of a file.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A photo of a visit or a course.
        case photo
        /// A GPX file.
        case track
        /// An export, which only the server makes.
        case export
        /// A profile picture.
        case picture

        /// The most bytes of an upload; nil for files that are never uploaded.
        package var mostBytes: Int64? {
            switch self {
            case .photo: 5 * 1_048_576
            case .track: 16 * 1_048_576
            case .export: nil
            case .picture: 65_536
            }
        }

        /// `true` if the files of this kind count for ``FileSpace/perUser``.
        package var countsForQuota: Bool { self != .export }
    }

    /// The most bytes of one read.
    package static let mostRead = 131_072

    /// Its id, independent of its content: the same bytes twice are two files.
    package let id: FileID
    /// The owner.
    package let userID: UserID
    package let kind: Kind
    /// The media type, such as `image/jpeg`.
    package let contentType: String
    /// The size in bytes as stored, without metadata.
    package let bytes: Int64
    /// The SHA-256 of the bytes as stored.
    package let sha256: [UInt8]
    /// The width of a photo as stored, in pixels; 0 for other files.
    package let width: Int
    /// The height of a photo as stored, in pixels; 0 for other files.
    package let height: Int
    /// How to turn a photo for viewing, 1…8 as in Exif; 0 for other files.
    package let orientation: Int

    package init(
        id: FileID,
        userID: UserID,
        kind: Kind,
        contentType: String,
        bytes: Int64,
        sha256: [UInt8],
        width: Int = 0,
        height: Int = 0,
        orientation: Int = 0
    ) {
        self.id = id
        self.userID = userID
        self.kind = kind
        self.contentType = contentType
        self.bytes = bytes
        self.sha256 = sha256
        self.width = width
        self.height = height
        self.orientation = orientation
    }

    /// The bytes that one read returns: from `offset` on at most `limit` and at most ``mostRead``, empty at the end.
    ///
    /// - Throws: `invalid` with the field `offset` outside the file, or `limit` below 1.
    package func range(from offset: Int64, limit: Int = mostRead) throws(Refusal) -> Range<Int64> {
        guard (0...bytes).contains(offset) else { throw .invalid(field: "offset") }
        guard limit > 0 else { throw .invalid(field: "limit") }
        return offset..<min(bytes, offset + Int64(min(limit, Self.mostRead)))
    }
}
