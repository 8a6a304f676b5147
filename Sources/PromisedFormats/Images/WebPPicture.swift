/// The image data of a WebP or of one of its frames: an alpha channel if there is one, and a bitstream.
struct WebPPicture {
    let size: ImageSize
    /// The contents of the chunks `ALPH`, if present, and `VP8 ` or `VP8L`.
    let chunks: [ByteReader]

    /// Reads chunks up to the bitstream; those of other types are removed.
    ///
    /// - Parameter mayHaveAlpha: `false` for a simple file, which has no separate chunk for transparency.
    init(_ reader: inout ByteReader, mayHaveAlpha: Bool) throws(ImageProblem) {
        var chunks: [ByteReader] = []
        var (type, content) = try Self.next(&reader)
        if type == WebPChunk.alpha {
            chunks.append(content)
            (type, content) = try Self.next(&reader)
            guard mayHaveAlpha, type == WebPChunk.lossy else {
                throw .malformed(reason: "an alpha channel is misplaced")
            }
        }
        size = type == WebPChunk.lossy ? try Self.lossySize(content) : try Self.losslessSize(content)
        chunks.append(content)
        self.chunks = chunks
    }

    /// The bytes of the chunks with their types, lengths and padding.
    var count: Int { chunks.reduce(0) { $0 + 8 + $1.count + $1.count % 2 } }

    /// Writes the chunks.
    func write(to output: ImageOutput) throws(ImageProblem) {
        for chunk in chunks { try output.append(chunk: chunk) }
    }

    private static func next(
        _ reader: inout ByteReader
    ) throws(ImageProblem) -> (type: Int, content: ByteReader) {
        while reader.count > 0 {
            let chunk = try WebPChunk.next(&reader)
            if chunk.type == WebPChunk.alpha || chunk.type == WebPChunk.lossy || chunk.type == WebPChunk.lossless {
                return chunk
            }
        }
        throw .malformed(reason: "the image data is missing")
    }

    /// The size in the header of a key frame of VP8 (RFC 6386 §9.1).
    private static func lossySize(_ content: ByteReader) throws(ImageProblem) -> ImageSize {
        var content = content
        let tag = try content.littleEndian(3)
        guard tag & 1 == 0, tag >> 1 & 7 < 4, tag >> 4 & 1 == 1, try content.skip([0x9D, 0x01, 0x2A]) else {
            throw .malformed(reason: "the image data does not begin with a key frame")
        }
        let (width, height) = (try content.littleEndian(2), try content.littleEndian(2))
        guard tag >> 5 <= content.count else { throw .malformed(reason: "the image data is too short") }
        return ImageSize(width: width & 0x3FFF, height: height & 0x3FFF)
    }

    /// The size in the header of a lossless picture (RFC 9649 §3.4).
    private static func losslessSize(_ content: ByteReader) throws(ImageProblem) -> ImageSize {
        var content = content
        guard try content.byte() == 0x2F else { throw .malformed(reason: "the image data has no signature") }
        let bits = try content.littleEndian(4)
        guard bits >> 29 == 0 else { throw .unsupported(reason: "its lossless format is of a later version") }
        return ImageSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
}
