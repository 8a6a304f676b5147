/// A chunk of a PNG (W3C PNG, third edition, section 5).
struct PNGChunk {
    let type: [UInt8]
    let content: ByteReader
    private let checksum: Int

    /// The next chunk of a file, whose checksum is right.
    init(_ reader: inout ByteReader) throws(ImageProblem) {
        let length = try reader.bigEndian(4)
        type = Array(try reader.take(4))
        guard length <= Int32.max, Self.isType(type) else { throw .malformed(reason: "a chunk is invalid") }
        content = try reader.part(length)
        checksum = try reader.bigEndian(4)
        guard checksum == Int(PNGChecksum.of(type, content.rest)) else {
            throw .malformed(reason: "a checksum is wrong")
        }
    }

    /// `true` if a decoder must know the chunk: the first letter is a capital (section 5.4).
    var isCritical: Bool { type[0] & 0x20 == 0 }

    /// Appends the chunk as it was read.
    func write(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: content.count, length: 4)
        bytes += type
        bytes += content.rest
        bytes.append(bigEndian: checksum, length: 4)
    }

    /// `true` for four letters of ASCII.
    private static func isType(_ type: [UInt8]) -> Bool {
        type.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & ~0x20) }
    }

    // MARK: - Types

    /// The first bytes of a file.
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static let header = Array("IHDR".utf8)
    static let palette = Array("PLTE".utf8)
    static let data = Array("IDAT".utf8)
    static let end = Array("IEND".utf8)

    /// The chunks besides the critical ones that change how the picture looks, with the lengths they may have (section 11).
    static let looks: [[UInt8]: ClosedRange<Int>] = [
        Array("tRNS".utf8): 1...256, Array("gAMA".utf8): 4...4, Array("cHRM".utf8): 32...32, Array("sRGB".utf8): 1...1,
        Array("cICP".utf8): 4...4, Array("mDCV".utf8): 24...24, Array("cLLI".utf8): 8...8,
        Array("iCCP".utf8): 4...Int.max,
    ]
}

/// The cyclic redundancy check of PNG: that of ISO 3309, least significant bit first (section 5.5).
enum PNGChecksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    /// The checksum of a chunk's type and content.
    static func of(_ type: [UInt8], _ content: ArraySlice<UInt8>) -> UInt32 {
        ~add(content, to: add(type[...], to: ~0))
    }

    private static func add(_ bytes: ArraySlice<UInt8>, to start: UInt32) -> UInt32 {
        bytes.withUnsafeBufferPointer { bytes in
            table.withUnsafeBufferPointer { table in
                bytes.reduce(start) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
            }
        }
    }
}
