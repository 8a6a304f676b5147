package import PromisedDomain

package typealias PhotoID = ID<Photo>

/// A photo of a visit or a course.
package struct Photo: Hashable, Sendable {
    /// Its file, which belongs to this photo alone.
    package var fileID: FileID
    /// At most ``longestCaption`` characters, possibly empty.
    package var caption: String

    /// The most photos of a visit or a course.
    package static let most = 10
    /// The most characters of a caption.
    package static let longestCaption = 100

    package init(fileID: FileID, caption: String = "") {
        self.fileID = fileID
        self.caption = caption
    }

    /// Its id: that of the file, which no other photo has.
    package var id: PhotoID { PhotoID(high: fileID.high, low: fileID.low) }

    /// Checks the number of photos, that all files differ, and the captions. Throws `invalid` with the field.
    package static func check(_ photos: [Photo]) throws(Refusal) {
        guard photos.count <= most, Set(photos.map(\.fileID)).count == photos.count else {
            throw .invalid(field: "photos")
        }
        guard photos.allSatisfy({ $0.caption.count <= longestCaption }) else {
            throw .invalid(field: "photos.caption")
        }
    }
}
