/// A picture whose structure has been checked completely, and which can be written without metadata.
///
/// The file is rebuilt from the parts that affect the picture: tables, image data, the numbers of a colour profile, the
/// marks of JFIF and Adobe for the coding of colours, and a JPEG's orientation. Everything else is removed: EXIF, XMP,
/// IPTC, MPF, comments, thumbnails, texts, times, unknown parts, and all bytes after the end. An animated WebP retains
/// its frames; an animated PNG becomes its default picture. The image data itself is copied, not decoded.
///
/// The file is read in pieces: whatever its size, checking and writing take three buffers of a piece, at most 200 KiB
/// more, and six times a colour profile, which has at most 2 MiB.
package struct CheckedImage {
    /// The format of the file.
    package let format: ImageFormat
    /// The width in pixels as stored, before the orientation is applied.
    package let width: Int
    /// The height in pixels as stored, before the orientation is applied.
    package let height: Int
    /// How to turn the picture for viewing: 1…8 as in the tag Orientation of Exif; 1: as stored.
    package let orientation: Int
    private let file: any ImageFile
    private let source: ByteSource
    private let piece: Int

    /// Checks a file. Takes time proportional to its bytes.
    ///
    /// - Parameters:
    ///   - source: the file as it was sent.
    ///   - piece: the number of bytes that are read at a time.
    /// - Throws: ``ImageProblem`` for a file that is not a picture, is inconsistent, or exceeds the limits.
    package init(
        _ source: ByteSource,
        limits: ImageLimits = ImageLimits(),
        piece: Int = 65_536
    ) throws(ImageProblem) {
        guard source.count <= limits.bytes else { throw .tooManyBytes(source.count, most: limits.bytes) }
        let start = try source.bytes(at: 0, most: FoundFormat.startLength)
        guard let format = ImageFormat(sniffing: start) else { throw .unknownFormat(FoundFormat(sniffing: start)) }
        try ForeignFormat.refuse(source, piece: piece)
        let window = ByteWindow(source, size: piece)
        switch format {
        case .jpeg: file = try JPEGFile(window, limits: limits)
        case .png: file = try PNGFile(window, limits: limits)
        case .webP: file = try WebPFile(window, limits: limits)
        }
        self.format = format
        width = file.size.width
        height = file.size.height
        orientation = file.orientation
        self.source = source
        self.piece = piece
    }

    /// Writes the file without metadata.
    ///
    /// Check the written bytes by ``ForeignFormat/refuse(_:piece:)``: removing parts may move others to where another
    /// format expects its end.
    ///
    /// - Parameter take: receives the bytes in order, a piece at a time, each valid during the call.
    /// - Throws: the errors of `take` and of reading the source.
    package func write(
        to take: @escaping (UnsafeRawBufferPointer) throws(ImageProblem) -> Void
    ) throws(ImageProblem) {
        let copy = ImageCopy(of: source, size: piece, to: take)
        try file.write(to: ImageOutput(to: copy))
        try copy.flush()
    }
}
