/// The limits of a picture.
package struct ImageLimits: Hashable, Sendable {
    /// The most segments, chunks and fill bytes of a file. A photo has some thousands; a file made of tiny parts would
    /// take much longer to check than others of its size.
    static let parts = 65_536

    /// The most bytes of the file as it is sent.
    package var bytes: Int
    /// The most pixels of the longer side.
    package var side: Int
    /// The most pixels of the whole picture.
    package var pixels: Int

    /// Limits; by default those of photos: 5 MiB, 12,000 pixels a side, 60 megapixels.
    package init(bytes: Int = 5 * 1_048_576, side: Int = 12_000, pixels: Int = 60_000_000) {
        self.bytes = bytes
        self.side = side
        self.pixels = pixels
    }

    /// Checks the size of a picture. Throws ``ImageProblem``.
    func check(_ size: ImageSize) throws(ImageProblem) {
        guard size.width > 0, size.height > 0 else { throw .malformed(reason: "a side has no pixels") }
        let longer = max(size.width, size.height)
        guard longer <= side else { throw .sideTooLong(longer, most: side) }
        let count = size.width * size.height
        guard count <= pixels else { throw .tooManyPixels(count, most: pixels) }
    }
}

/// The size of a picture as it is stored, before its orientation is applied.
struct ImageSize: Hashable, Sendable {
    /// The width in pixels.
    var width: Int
    /// The height in pixels.
    var height: Int
}
