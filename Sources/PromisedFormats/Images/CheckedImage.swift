/// A picture whose structure has been checked to its end, and which can be written without metadata.
///
/// The file is built anew from the parts that show the picture: tables, image data, the numbers of a colour profile, the
/// marks of JFIF and Adobe that tell how colours are coded, and a JPEG's orientation. Everything else is left out: EXIF, XMP, IPTC, MPF,
/// comments, thumbnails, texts, times, unknown parts, and all bytes behind the end. An animated WebP keeps its frames; an
/// animated PNG becomes its default picture. The image data itself is copied, not decoded.
///
/// The file is read in pieces: whatever its size, checking and writing take three buffers of a piece, at most 200 KiB
/// more, and six times a colour profile, which has at most 2 MiB.
package struct CheckedImage {
    /// The format of the file.
    package let format: ImageFormat
    /// Pixels of a row as stored, before the orientation is applied.
    package let width: Int
    /// Rows as stored, before the orientation is applied.
    package let height: Int
    /// How to turn the picture for viewing: 1…8 as in the tag Orientation of Exif; 1: as stored.
    package let orientation: Int
    private let file: any ImageFile
    private let source: ByteSource
    private let piece: Int

    /// Checks a file. Takes time in proportion to its bytes.
    ///
    /// - Parameters:
    ///   - source: the file as it was sent.
    ///   - piece: the bytes that are read at a time.
    /// - Throws: ``ImageProblem`` for a file that is no picture, does not hold together, or exceeds the limits.
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
    /// The bytes that were written must be checked by ``ForeignFormat/refuse(_:piece:)``: leaving parts out may bring the
    /// rest into the place where another format looks for its end.
    ///
    /// - Parameter take: gets the bytes in their order, a piece at a time, each valid during the call.
    /// - Throws: the errors of `take` and of reading the source.
    package func write(
        to take: @escaping (UnsafeRawBufferPointer) throws(ImageProblem) -> Void
    ) throws(ImageProblem) {
        let copy = ImageCopy(of: source, size: piece, to: take)
        try file.write(to: ImageOutput(to: copy))
        try copy.flush()
    }
}
