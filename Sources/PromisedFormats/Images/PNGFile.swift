/// Walks the chunks of a PNG (W3C PNG, third edition) to its end.
///
/// ```
/// signature  IHDR  (… PLTE …)  IDAT+  (…)  IEND  [anything, cut]
/// ```
/// Of the other chunks only those that affect the appearance of the picture are retained; texts, times and `eXIf` are
/// removed, and with `acTL`, `fcTL` and `fdAT` the animation. The colour profile is rebuilt. The image data end with
/// their zlib stream: further bytes in the same chunk, or in later ones, are cut.
struct PNGFile: ImageFile {
    private enum Stage {
        case header
        case data
        case afterData
    }

    private let header: PNGHeader
    private var stage = Stage.header
    private var seen: Set<Int> = []
    /// The chunks before the colour profile. Few ranges: the image data are contiguous, and all other chunks are
    /// unique.
    private var beforeProfile = ImageOutput()
    /// The chunk of the colour profile; empty without one.
    private var profile: [UInt8] = []
    private var written = ImageOutput()
    /// A reader before the first chunk of image data; nil until it is found.
    private var data: ByteReader?

    /// Reads a file that begins with the signature.
    init(_ window: ByteWindow, limits: ImageLimits) throws(ImageProblem) {
        var reader = ByteReader(window)
        let signature = try reader.part(PNGChunk.signature.count)
        let first = try PNGChunk(&reader)
        guard first.type == PNGChunk.header else { throw .malformed(reason: "the first chunk is not the header") }
        header = try PNGHeader(first.content)
        try limits.check(header.size)
        try written.append(signature.range)
        try written.append(first.range)
        var start = reader
        var chunk = try PNGChunk(&reader)
        while chunk.type != PNGChunk.end {
            try take(chunk, from: start)
            start = reader
            chunk = try PNGChunk(&reader)
        }
        try finish(chunk)
    }

    /// Always as stored: PNG has no other orientation.
    let orientation = 1

    /// The size in pixels.
    var size: ImageSize { header.size }

    /// Writes the retained chunks.
    func write(to output: ImageOutput) throws(ImageProblem) {
        var isWhole = try beforeProfile.replay(into: output)
        if !profile.isEmpty { try output.append(profile) }
        isWhole = try written.replay(into: output) && isWhole
        precondition(isWhole, "A PNG has few ranges")
    }

    /// - Parameter start: a reader before the chunk.
    private mutating func take(_ chunk: PNGChunk, from start: ByteReader) throws(ImageProblem) {
        if chunk.type == PNGChunk.data {
            guard stage != .afterData else { throw .malformed(reason: "the image data is divided") }
            if data == nil { data = start }
            stage = .data
            return
        }
        if stage == .data { stage = .afterData }
        guard try isKept(chunk) else { return }
        guard seen.insert(chunk.type).inserted, stage == .header else {
            throw .malformed(reason: "a chunk is out of order")
        }
        guard chunk.type == PNGChunk.profile else { return try written.append(chunk.range) }
        guard let profile = try PNGProfile.chunk(chunk.content) else { return }
        self.profile = profile
        (beforeProfile, written) = (written, ImageOutput())
    }

    /// `true` for a palette and for the chunks that affect the appearance of the picture.
    private func isKept(_ chunk: PNGChunk) throws(ImageProblem) -> Bool {
        let length = chunk.content.count
        if chunk.type == PNGChunk.palette {
            guard header.mayHavePalette, (3...768).contains(length), length % 3 == 0 else {
                throw .malformed(reason: "the palette is invalid")
            }
            return true
        }
        guard let lengths = PNGChunk.looks[chunk.type] else {
            guard !chunk.isCritical else { throw .malformed(reason: "a critical chunk is unknown") }
            return false
        }
        guard lengths.contains(length) else { throw .malformed(reason: "a chunk has a wrong length") }
        return true
    }

    private mutating func finish(_ end: PNGChunk) throws(ImageProblem) {
        guard end.content.count == 0, let data, !header.needsPalette || seen.contains(PNGChunk.palette) else {
            throw .malformed(reason: "the picture has no data or no palette")
        }
        try writeData(data)
        try written.append(end.range)
    }

    /// Writes the chunks of the image data up to the end of their stream, where the last chunk is cut.
    private func writeData(_ data: ByteReader) throws(ImageProblem) {
        var stream = Inflate(PNGData(data), most: header.dataLength, keepsOutput: false)
        try stream.run()
        let (content, end) = try PNGData.end(after: stream.consumed, in: data)
        guard end < content.upperBound else {
            return try written.append(data.offset..<content.upperBound + PNGChunk.checksumLength)
        }
        try written.append(data.offset..<content.lowerBound - PNGChunk.headLength)
        var head: [UInt8] = []
        head.append(bigEndian: end - content.lowerBound, length: 4)
        try written.append(head)
        // With its type, which the checksum covers as well.
        let kept = content.lowerBound - 4..<end
        try written.append(kept)
        var last = data
        last.skip(kept.lowerBound - data.offset)
        var checksum: [UInt8] = []
        checksum.append(bigEndian: Int(try PNGChecksum.of(last, to: end)), length: 4)
        try written.append(checksum)
    }
}
