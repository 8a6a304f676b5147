/// A picture whose structure has been checked to its end, without metadata.
///
/// The file is built anew from the parts that show the picture: tables, image data, colour profiles, the marks of JFIF and
/// Adobe that tell how colours are coded, and a JPEG's orientation. Everything else is left out: EXIF, XMP, IPTC, MPF,
/// comments, thumbnails, texts, times, unknown parts, and all bytes behind the end. An animated WebP keeps its frames; an
/// animated PNG becomes its default picture. The image data itself is copied, not decoded.
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
    /// - Parameter bytes: the file as it was sent.
    /// - Throws: ``ImageProblem`` for a file that is no picture, does not hold together, or exceeds the limits.
    package init(cleaning bytes: [UInt8], limits: ImageLimits = ImageLimits()) throws(ImageProblem) {
        guard bytes.count <= limits.bytes else { throw .tooManyBytes(bytes.count, most: limits.bytes) }
        guard let format = ImageFormat(sniffing: bytes) else { throw .unknownFormat }
        try ForeignFormat.refuse(bytes)
        let parts =
            switch format {
            case .jpeg: try JPEGFile(bytes, limits: limits).parts
            case .png: try PNGFile(bytes, limits: limits).parts
            case .webP: try WebPFile(bytes, limits: limits).parts
            }
        // Leaving parts out may bring the rest into the place where another format looks for its end.
        try ForeignFormat.refuse(parts.bytes)
        self.format = format
        width = parts.size.width
        height = parts.size.height
        orientation = parts.orientation
        self.bytes = parts.bytes
    }
}
