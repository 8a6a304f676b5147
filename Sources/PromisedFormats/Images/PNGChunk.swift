/// A chunk of a PNG (W3C PNG, third edition, section 5).
struct PNGChunk {
    /// The four letters, the first most significant.
    let type: Int
    let content: ByteReader

    /// Reads the next chunk of a file and checks its checksum.
    init(_ reader: inout ByteReader) throws(ImageProblem) {
        let length = try reader.bigEndian(4)
        let checked = reader
        type = try reader.bigEndian(4)
        guard length <= Int32.max, Self.isType(type) else { throw .malformed(reason: "a chunk is invalid") }
        content = try reader.part(length)
        let checksum = try reader.bigEndian(4)
        guard checksum == Int(try PNGChecksum.of(checked, to: content.range.upperBound)) else {
            throw .malformed(reason: "a checksum is wrong")
        }
    }

    /// `true` if a decoder must know the chunk: the first letter is a capital (section 5.4).
    var isCritical: Bool { type >> 24 & 0x20 == 0 }

    /// The chunk with its length, type and checksum.
    var range: Range<Int> {
        content.range.lowerBound - Self.headLength..<content.range.upperBound + Self.checksumLength
    }

    /// The length in bytes of length and type.
    static let headLength = 8
    /// The length in bytes of a checksum.
    static let checksumLength = 4

    /// A chunk with its length, type and checksum.
    static func bytes(_ type: String, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: content.count, length: 4)
        let checked = Array(type.utf8) + content
        var sum = PNGChecksum()
        checked.withUnsafeBytes { sum.add($0) }
        bytes += checked
        bytes.append(bigEndian: Int(sum.value), length: 4)
        return bytes
    }

    /// `true` for four ASCII letters.
    private static func isType(_ type: Int) -> Bool {
        [24, 16, 8, 0].allSatisfy { (0x41...0x5A).contains(type >> $0 & 0xDF) }
    }

    // MARK: - Types

    /// The first bytes of a file.
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static let header = code("IHDR")
    static let palette = code("PLTE")
    static let data = code("IDAT")
    static let profile = code("iCCP")
    static let end = code("IEND")

    /// The non-critical chunks that affect the appearance of the picture, with their valid lengths (section 11).
    static let looks: [Int: ClosedRange<Int>] = [
        code("tRNS"): 1...256, code("gAMA"): 4...4, code("cHRM"): 32...32, code("sRGB"): 1...1, code("cICP"): 4...4,
        code("mDCV"): 24...24, code("cLLI"): 8...8, code("iCCP"): 4...Int.max,
    ]

    private static func code(_ letters: String) -> Int { letters.utf8.reduce(0) { $0 << 8 | Int($1) } }
}
