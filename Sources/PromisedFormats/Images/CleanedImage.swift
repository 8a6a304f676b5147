/// A ``CheckedImage`` without metadata, in memory.
package struct CleanedImage: Hashable, Sendable {
    /// The format of the file.
    package let format: ImageFormat
    /// Pixels of a row as stored, before the orientation is applied.
    package let width: Int
    /// Rows as stored, before the orientation is applied.
    package let height: Int
    /// How to turn the picture for viewing: 1…8 as in the tag Orientation of Exif; 1: as stored.
    package let orientation: Int
    /// The file without metadata.
    package let bytes: [UInt8]

    /// Checks and cleans a file. Takes time and memory in proportion to its bytes.
    ///
    /// - Parameters:
    ///   - bytes: the file as it was sent.
    ///   - piece: the bytes that are read at a time, which make no difference.
    /// - Throws: ``ImageProblem`` for a file that is no picture, does not hold together, or exceeds the limits.
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
