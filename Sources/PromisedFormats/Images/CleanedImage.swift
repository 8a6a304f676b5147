/// A ``CheckedImage`` without metadata, in memory.
package struct CleanedImage: Hashable, Sendable {
    /// The format of the file.
    package let format: ImageFormat
    /// The width in pixels as stored, before the orientation is applied.
    package let width: Int
    /// The height in pixels as stored, before the orientation is applied.
    package let height: Int
    /// How to turn the picture for viewing: 1…8 as in the tag Orientation of Exif; 1: as stored.
    package let orientation: Int
    /// The file without metadata.
    package let bytes: [UInt8]

    /// Checks and cleans a file. Takes time and memory proportional to its bytes.
    ///
    /// - Parameters:
    ///   - bytes: the file as it was sent.
    ///   - piece: the number of bytes that are read at a time; does not affect the result.
    /// - Throws: ``ImageProblem`` for a file that is not a picture, is inconsistent, or exceeds the limits.
    package init(
        cleaning bytes: [UInt8],
        limits: ImageLimits = ImageLimits(),
        piece: Int = 65_536
    ) throws(ImageProblem) {
        let image = try CheckedImage(ByteSource(bytes), limits: limits, piece: piece)
        var written: [UInt8] = []
        written.reserveCapacity(bytes.count)
        try image.write { piece throws(ImageProblem) in written += piece }
        try ForeignFormat.refuse(ByteSource(written), piece: piece)
        format = image.format
        width = image.width
        height = image.height
        orientation = image.orientation
        self.bytes = written
    }
}
