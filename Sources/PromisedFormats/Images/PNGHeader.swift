/// The header of a PNG (W3C PNG, third edition, section 11.2.1).
struct PNGHeader {
    let size: ImageSize
    private let colourType: UInt8

    /// The depths that go with each type of colour (table 12).
    private static let depths: [UInt8: [UInt8]] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]

    /// Reads the content of the chunk `IHDR`.
    init(_ chunk: ByteReader) throws(ImageProblem) {
        var chunk = chunk
        let width = try chunk.bigEndian(4)
        size = ImageSize(width: width, height: try chunk.bigEndian(4))
        let depth = try chunk.byte()
        colourType = try chunk.byte()
        let (compression, filter, interlace) = (try chunk.byte(), try chunk.byte(), try chunk.byte())
        guard chunk.count == 0, Self.depths[colourType]?.contains(depth) == true, compression == 0, filter == 0,
            interlace < 2
        else { throw .malformed(reason: "the header is invalid") }
    }

    /// `true` if the picture must have a palette.
    var needsPalette: Bool { colourType == 3 }

    /// `true` if the picture may have a palette.
    var mayHavePalette: Bool { [2, 3, 6].contains(colourType) }
}
