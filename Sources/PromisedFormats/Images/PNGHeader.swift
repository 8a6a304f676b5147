/// The header of a PNG (W3C PNG, third edition, section 11.2.1).
struct PNGHeader {
    let size: ImageSize
    private let colourType: UInt8
    private let depth: UInt8
    private let isInterlaced: Bool

    /// The valid depths of each colour type (table 12).
    private static let depths: [UInt8: [UInt8]] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]

    /// Reads the content of the chunk `IHDR`.
    init(_ chunk: ByteReader) throws(ImageProblem) {
        var chunk = chunk
        let width = try chunk.bigEndian(4)
        size = ImageSize(width: width, height: try chunk.bigEndian(4))
        depth = try chunk.byte()
        colourType = try chunk.byte()
        let (compression, filter, interlace) = (try chunk.byte(), try chunk.byte(), try chunk.byte())
        isInterlaced = interlace == 1
        guard chunk.count == 0, Self.depths[colourType]?.contains(depth) == true, compression == 0, filter == 0,
            interlace < 2
        else { throw .malformed(reason: "the header is invalid") }
    }

    /// The number of uncompressed bytes: for each row one byte for the filter, and the pixels.
    var dataLength: Int {
        guard isInterlaced else { return length(of: size) }
        // The passes of Adam7 (section 8.1): the first column and row, and the steps to the next ones.
        let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        return passes.reduce(0) { sum, pass in
            let (left, top, right, down) = pass
            let width = (size.width - left + right - 1) / right
            return sum + length(of: ImageSize(width: width, height: (size.height - top + down - 1) / down))
        }
    }

    private func length(of size: ImageSize) -> Int {
        guard size.width > 0, size.height > 0 else { return 0 }
        let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colourType] ?? 1
        return size.height * (1 + (size.width * samples * Int(depth) + 7) / 8)
    }

    /// `true` if the picture must have a palette.
    var needsPalette: Bool { colourType == 3 }

    /// `true` if the picture may have a palette.
    var mayHavePalette: Bool { [2, 3, 6].contains(colourType) }
}
