/// Walks the chunks of a WebP (RFC 9649 §2) to its end.
///
/// ```
/// RIFF size WEBP  VP8␠ | VP8L                                              [anything, cut]
/// RIFF size WEBP  VP8X  ICCP?  (ALPH? VP8␠ | VP8L) | (ANIM ANMF+)  (…)      [anything, cut]
/// ```
/// `EXIF`, `XMP ` and unknown chunks are removed, and the flags of `VP8X` are updated.
struct WebPWalk {
    private enum Flag {
        static let profile: UInt8 = 0x20
        static let alpha: UInt8 = 0x10
        static let animation: UInt8 = 0x02
    }

    let limits: ImageLimits
    /// Receives the retained chunks.
    let chunks: ImageOutput

    /// Walks over a file that begins with the signature. Returns the size of the picture.
    func run(_ file: ByteReader) throws(ImageProblem) -> ImageSize {
        var file = file
        _ = try file.part(4)
        let length = try file.littleEndian(4)
        guard length % 2 == 0 else { throw .malformed(reason: "the file has an odd length") }
        var reader = try file.part(length)
        _ = try reader.part(4)
        var first = reader
        let (type, content) = try WebPChunk.next(&first)
        if type == WebPChunk.extended { return try readExtended(content, &first) }
        guard type == WebPChunk.lossy || type == WebPChunk.lossless else {
            throw .malformed(reason: "the first chunk is not a picture")
        }
        let picture = try WebPPicture(&reader, mayHaveAlpha: false)
        try limits.check(picture.size)
        try picture.write(to: chunks)
        return picture.size
    }

    private func readExtended(
        _ header: ByteReader,
        _ reader: inout ByteReader
    ) throws(ImageProblem) -> ImageSize {
        var header = header
        let flags = try header.byte()
        _ = try header.part(3)
        let width = try header.littleEndian(3) + 1
        let canvas = ImageSize(width: width, height: try header.littleEndian(3) + 1)
        guard header.count == 0 else { throw .malformed(reason: "the header has a wrong length") }
        try limits.check(canvas)

        let profile = try readProfile(&reader)
        try writeHeader(canvas, flags & (Flag.alpha | Flag.animation) | (profile == nil ? 0 : Flag.profile))
        if let profile { try write(profile) }
        if flags & Flag.animation != 0 {
            try readAnimation(&reader, on: canvas)
        } else {
            try readStill(&reader, of: canvas)
        }
        // The chunks that follow are removed, but must be complete.
        while reader.count > 0 { _ = try WebPChunk.next(&reader) }
        return canvas
    }

    private func writeHeader(_ canvas: ImageSize, _ flags: UInt8) throws(ImageProblem) {
        var content = [flags, 0, 0, 0]
        content.append(littleEndian: canvas.width - 1, length: 3)
        content.append(littleEndian: canvas.height - 1, length: 3)
        try chunks.append(chunk: WebPChunk.extended, content.count)
        try chunks.append(content)
    }

    /// The colour profile, which comes first; nil without a consistent one.
    private func readProfile(_ reader: inout ByteReader) throws(ImageProblem) -> ICCProfile? {
        var ahead = reader
        guard ahead.count >= 4, try ahead.littleEndian(4) == WebPChunk.profile else { return nil }
        return try WebPChunk.next(&reader).content.profile()
    }

    private func write(_ profile: ICCProfile) throws(ImageProblem) {
        try chunks.append(chunk: WebPChunk.profile, profile.bytes.count)
        try chunks.append(profile.bytes + (profile.bytes.count % 2 == 1 ? [0] : []))
    }

    private func readStill(_ reader: inout ByteReader, of canvas: ImageSize) throws(ImageProblem) {
        let picture = try WebPPicture(&reader, mayHaveAlpha: true)
        guard picture.size == canvas else { throw .malformed(reason: "the picture does not fill its canvas") }
        try picture.write(to: chunks)
    }

    /// Reads the animation's parameters and its frames.
    private func readAnimation(_ reader: inout ByteReader, on canvas: ImageSize) throws(ImageProblem) {
        var (hasParameters, hasFrames) = (false, false)
        while reader.count > 0 {
            let (type, content) = try WebPChunk.next(&reader)
            if type == WebPChunk.animation {
                guard !hasParameters, content.count == 6 else { throw .malformed(reason: "an animation is invalid") }
                hasParameters = true
                try chunks.append(chunk: content)
            } else if type == WebPChunk.frame {
                guard hasParameters else { throw .malformed(reason: "a frame comes before its animation") }
                hasFrames = true
                try readFrame(content, on: canvas)
            }
        }
        guard hasFrames else { throw .malformed(reason: "an animation has no frames") }
    }

    /// Reads the content of a frame: its position, time and picture (section 2.7.1.3).
    private func readFrame(_ content: ByteReader, on canvas: ImageSize) throws(ImageProblem) {
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
        try chunks.append(chunk: WebPChunk.frame, head.count + picture.count)
        try chunks.append(head.range)
        try picture.write(to: chunks)
    }
}
