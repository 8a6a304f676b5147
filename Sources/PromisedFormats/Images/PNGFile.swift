/// Walks the chunks of a PNG (W3C PNG, third edition) to its end.
///
/// ```
/// signature  IHDR  (… PLTE …)  IDAT+  (…)  IEND  [anything, cut]
/// ```
/// Of the other chunks only those stay that change how the picture looks; texts, times and `eXIf` go, and with `acTL`,
/// `fcTL` and `fdAT` the animation.
struct PNGFile {
    private enum Stage {
        case header
        case data
        case afterData
    }

    private let header: PNGHeader
    private var stage = Stage.header
    private var seen: Set<[UInt8]> = []
    private var written = PNGChunk.signature

    /// Reads a file that begins with the signature.
    init(_ bytes: [UInt8], limits: ImageLimits) throws(ImageProblem) {
        var reader = ByteReader(bytes)
        _ = reader.skip(PNGChunk.signature)
        let (type, content) = try Self.chunk(&reader)
        guard type == PNGChunk.header else { throw .malformed(reason: "the first chunk is not the header") }
        header = try PNGHeader(content)
        try limits.check(header.size)
        written.reserveCapacity(bytes.count)
        write(type, content)
        while true {
            let (type, content) = try Self.chunk(&reader)
            if type == PNGChunk.end {
                try finish(content)
                return
            }
            try take(type, content)
        }
    }

    /// What is kept of the file.
    var parts: ImageParts { ImageParts(size: header.size, bytes: written) }

    /// The next chunk, whose checksum is right.
    private static func chunk(_ reader: inout ByteReader) throws(ImageProblem) -> ([UInt8], ByteReader) {
        let length = try reader.bigEndian(4)
        let type = Array(try reader.take(4))
        guard length <= Int32.max, PNGChunk.isType(type) else { throw .malformed(reason: "a chunk is invalid") }
        let content = try reader.part(length)
        guard try reader.bigEndian(4) == Int(PNGChecksum.of(type, content.rest)) else {
            throw .malformed(reason: "a checksum is wrong")
        }
        return (type, content)
    }

    private mutating func take(_ type: [UInt8], _ content: ByteReader) throws(ImageProblem) {
        if type == PNGChunk.data {
            guard stage != .afterData else { throw .malformed(reason: "the image data is divided") }
            stage = .data
            write(type, content)
            return
        }
        if stage == .data { stage = .afterData }
        if type == PNGChunk.palette {
            try checkPalette(content)
        } else if let lengths = PNGChunk.looks[type] {
            guard lengths.contains(content.count) else { throw .malformed(reason: "a chunk has a wrong length") }
        } else {
            guard !PNGChunk.isCritical(type) else { throw .malformed(reason: "a critical chunk is unknown") }
            return
        }
        guard seen.insert(type).inserted, stage == .header else {
            throw .malformed(reason: "a chunk is out of order")
        }
        write(type, content)
    }

    private func checkPalette(_ content: ByteReader) throws(ImageProblem) {
        guard header.mayHavePalette, (3...768).contains(content.count), content.count % 3 == 0 else {
            throw .malformed(reason: "the palette is invalid")
        }
    }

    private mutating func finish(_ content: ByteReader) throws(ImageProblem) {
        guard content.count == 0, stage != .header, !header.needsPalette || seen.contains(PNGChunk.palette) else {
            throw .malformed(reason: "the picture has no data or no palette")
        }
        write(PNGChunk.end, content)
    }

    private mutating func write(_ type: [UInt8], _ content: ByteReader) {
        written.append(bigEndian: content.count, length: 4)
        written += type
        written += content.rest
        written.append(bigEndian: Int(PNGChecksum.of(type, content.rest)), length: 4)
    }
}
