/// Walks the chunks of a PNG (W3C PNG, third edition) to its end.
///
/// ```
/// signature  IHDR  (… PLTE …)  IDAT+  (…)  IEND  [anything, cut]
/// ```
/// Of the other chunks only those stay that change how the picture looks; texts, times and `eXIf` go, and with `acTL`,
/// `fcTL` and `fdAT` the animation.
struct PNGFile: ImageFile {
    private enum Stage {
        case header
        case data
        case afterData
    }

    private let header: PNGHeader
    private var stage = Stage.header
    private var seen: Set<Int> = []
    /// Few ranges: the image data are not divided, and no other chunk comes twice.
    private let written = ImageOutput()

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
        var chunk = try PNGChunk(&reader)
        while chunk.type != PNGChunk.end {
            try take(chunk)
            chunk = try PNGChunk(&reader)
        }
        try finish(chunk)
    }

    /// As stored: there is no other.
    let orientation = 1

    /// Pixels of a row, and rows.
    var size: ImageSize { header.size }

    /// Writes the chunks that are kept.
    func write(to output: ImageOutput) throws(ImageProblem) {
        let isWhole = try written.replay(into: output)
        precondition(isWhole, "A PNG has few ranges")
    }

    private mutating func take(_ chunk: PNGChunk) throws(ImageProblem) {
        if chunk.type == PNGChunk.data {
            guard stage != .afterData else { throw .malformed(reason: "the image data is divided") }
            stage = .data
            return try written.append(chunk.range)
        }
        if stage == .data { stage = .afterData }
        guard try isKept(chunk) else { return }
        guard seen.insert(chunk.type).inserted, stage == .header else {
            throw .malformed(reason: "a chunk is out of order")
        }
        try written.append(chunk.range)
    }

    /// `true` for a palette and for the chunks that change how the picture looks.
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
        guard end.content.count == 0, stage != .header, !header.needsPalette || seen.contains(PNGChunk.palette) else {
            throw .malformed(reason: "the picture has no data or no palette")
        }
        try written.append(end.range)
    }
}
