/// Walks the chunks of a WebP (RFC 9649 §2) to its end.
///
/// ```
/// RIFF size WEBP  VP8␠ | VP8L                                              [anything, cut]
/// RIFF size WEBP  VP8X  ICCP?  (ALPH? VP8␠ | VP8L) | (ANIM ANMF+)  (…)      [anything, cut]
/// ```
/// `EXIF`, `XMP ` and unknown chunks go, and the flags of `VP8X` tell what is left.
struct WebPFile {
    private enum Flag {
        static let profile: UInt8 = 0x20
        static let alpha: UInt8 = 0x10
        static let animation: UInt8 = 0x02
    }

    private let size: ImageSize
    private let written: [UInt8]

    /// Reads a file that begins with the signature.
    init(_ bytes: [UInt8], limits: ImageLimits) throws(ImageProblem) {
        var file = ByteReader(bytes)
        _ = try file.take(4)
        let length = try file.littleEndian(4)
        guard length % 2 == 0 else { throw .malformed(reason: "the file has an odd length") }
        var reader = try file.part(length)
        _ = try reader.take(4)
        var first = reader
        let (type, content) = try WebPChunk.next(&first)
        if type == WebPChunk.extended {
            (size, written) = try Self.readExtended(content, &first, limits: limits)
        } else {
            guard type == WebPChunk.lossy || type == WebPChunk.lossless else {
                throw .malformed(reason: "the first chunk is not a picture")
            }
            let picture = try WebPPicture(&reader, mayHaveAlpha: false)
            try limits.check(picture.size)
            (size, written) = (picture.size, picture.chunks)
        }
    }

    /// The parts that are kept.
    var parts: ImageParts {
        var bytes = WebPChunk.riff
        bytes.append(littleEndian: written.count + WebPChunk.webP.count, length: 4)
        return ImageParts(size: size, bytes: bytes + WebPChunk.webP + written)
    }

    private static func readExtended(
        _ header: ByteReader,
        _ reader: inout ByteReader,
        limits: ImageLimits
    ) throws(ImageProblem) -> (ImageSize, [UInt8]) {
        var header = header
        let flags = try header.byte()
        _ = try header.take(3)
        let width = try header.littleEndian(3) + 1
        let canvas = ImageSize(width: width, height: try header.littleEndian(3) + 1)
        guard header.count == 0 else { throw .malformed(reason: "the header has a wrong length") }
        try limits.check(canvas)

        let profile = try readProfile(&reader)
        let isAnimated = flags & Flag.animation != 0
        let pictures = isAnimated ? try animation(&reader, on: canvas) : try still(&reader, of: canvas)
        // The chunks that follow are left out, but must be whole.
        while reader.count > 0 { _ = try WebPChunk.next(&reader) }

        var content = [flags & (Flag.alpha | Flag.animation) | (profile.isEmpty ? 0 : Flag.profile), 0, 0, 0]
        content.append(littleEndian: canvas.width - 1, length: 3)
        content.append(littleEndian: canvas.height - 1, length: 3)
        var written: [UInt8] = []
        written.append(chunk: WebPChunk.extended, content)
        return (canvas, written + profile + pictures)
    }

    /// The chunk of the colour profile, which comes first; empty if there is none or it is not whole.
    private static func readProfile(_ reader: inout ByteReader) throws(ImageProblem) -> [UInt8] {
        guard reader.rest.starts(with: WebPChunk.profile) else { return [] }
        let (type, content) = try WebPChunk.next(&reader)
        var chunk: [UInt8] = []
        if let profile = ICCProfile.cleaned(Array(content.rest)) { chunk.append(chunk: type, profile) }
        return chunk
    }

    private static func still(
        _ reader: inout ByteReader,
        of canvas: ImageSize
    ) throws(ImageProblem) -> [UInt8] {
        let picture = try WebPPicture(&reader, mayHaveAlpha: true)
        guard picture.size == canvas else { throw .malformed(reason: "the picture does not fill its canvas") }
        return picture.chunks
    }

    /// The animation's parameters and its frames.
    private static func animation(
        _ reader: inout ByteReader,
        on canvas: ImageSize
    ) throws(ImageProblem) -> [UInt8] {
        var written: [UInt8] = []
        while reader.count > 0 {
            let (type, content) = try WebPChunk.next(&reader)
            if type == WebPChunk.animation {
                guard written.isEmpty, content.count == 6 else { throw .malformed(reason: "an animation is invalid") }
                written.append(chunk: type, content.rest)
            } else if type == WebPChunk.frame {
                guard !written.isEmpty else { throw .malformed(reason: "a frame comes before its animation") }
                written.append(chunk: type, try frame(content, on: canvas))
            }
        }
        guard written.count > 14 else { throw .malformed(reason: "an animation has no frames") }
        return written
    }

    /// The content of a frame: its place, time and picture (section 2.7.1.3).
    private static func frame(_ content: ByteReader, on canvas: ImageSize) throws(ImageProblem) -> [UInt8] {
        var content = content
        let head = try content.part(16)
        var place = head
        let (left, top) = (try place.littleEndian(3) * 2, try place.littleEndian(3) * 2)
        let width = try place.littleEndian(3) + 1
        let size = ImageSize(width: width, height: try place.littleEndian(3) + 1)
        let picture = try WebPPicture(&content, mayHaveAlpha: true)
        guard picture.size == size, left + size.width <= canvas.width, top + size.height <= canvas.height else {
            throw .malformed(reason: "a frame does not fit its canvas")
        }
        return head.rest + picture.chunks
    }
}
