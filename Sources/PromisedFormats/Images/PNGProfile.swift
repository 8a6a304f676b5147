/// The colour profile of a PNG (section 11.3.2.3): a name, a method and a zlib stream.
enum PNGProfile {
    private static let name = Array("icc\0".utf8)
    private static let longestName = 79
    /// The most bytes of a profile: larger ones are removed, because uncompressed they would make the file grow.
    /// Profiles of screens and cameras have some hundred bytes to some kilobytes.
    private static let longest = 131_072
    /// The most bytes of a stored block of DEFLATE.
    private static let longestBlock = 65_535

    /// The chunk for the profile in a chunk's content, with a fixed name and without compression. Nil if the content is
    /// not a profile; browsers ignore such chunks.
    static func chunk(_ content: ByteReader) throws(ImageProblem) -> [UInt8]? {
        var content = content
        var length = 0
        while content.count > 0, length <= longestName, try content.byte() != 0 { length += 1 }
        guard (1...longestName).contains(length), content.count > 1, try content.byte() == 0 else { return nil }
        var stream = Inflate(PartBytes(content), most: longest, keepsOutput: true)
        do throws(ImageProblem) { try stream.run() } catch .malformed { return nil }
        guard let profile = ICCProfile(stream.output) else { return nil }
        return PNGChunk.bytes("iCCP", name + [0] + stored(profile.bytes))
    }

    /// A zlib stream of stored blocks (RFC 1950, RFC 1951 section 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(longestBlock)
            rest = rest.dropFirst(longestBlock)
            stream.append(rest.isEmpty ? 1 : 0)
            stream.append(littleEndian: block.count, length: 2)
            stream.append(littleEndian: ~block.count & 0xFFFF, length: 2)
            stream += block
        } while !rest.isEmpty
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        stream.append(bigEndian: high << 16 | low, length: 4)
        return stream
    }
}
