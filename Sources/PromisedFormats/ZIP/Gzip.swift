/// Decompresses gzip files (RFC 1952).
enum Gzip {
    /// Why a compressed file is refused.
    enum Problem: Error, Hashable {
        /// A header, the compressed data or a checksum is invalid.
        case damaged
        /// The content exceeds the limit.
        case tooLong
    }

    /// `true` if the bytes begin with the signature of gzip.
    static func begins(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// The content of all members of a file, one after the other. Bytes after the last member are ignored; for a
    /// truncated file, the content up to the break is returned.
    ///
    /// - Parameter most: the most bytes of the content.
    static func content(of bytes: [UInt8], most: Int) throws(Problem) -> [UInt8] {
        var (content, rest) = ([UInt8](), bytes[...])
        while begins(rest) {
            guard let data = try afterHeader(rest) else { return content }
            let member = try inflated(data, most: most - content.count)
            content += member.content
            let trailer = data.dropFirst(member.consumed)
            guard member.isWhole, trailer.count >= 8 else { return content }
            var checksum = CRC32()
            checksum.update(member.content)
            guard number(trailer.prefix(4)) == Int(checksum.value),
                number(trailer.dropFirst(4).prefix(4)) == member.content.count
            else { throw .damaged }
            rest = trailer.dropFirst(8)
        }
        return content
    }

    /// The bytes after the header of a member; nil if the header is truncated.
    private static func afterHeader(_ member: ArraySlice<UInt8>) throws(Problem) -> ArraySlice<UInt8>? {
        guard member.count > 10 else { return nil }
        let (method, flags) = (member[member.startIndex + 2], member[member.startIndex + 3])
        guard method == 8, flags & 0xE0 == 0 else { throw .damaged }
        var rest = member.dropFirst(10)
        if flags & 4 != 0 {
            let length = number(rest.prefix(2))
            rest = rest.dropFirst(2 + length)
        }
        // The name and the comment end with a zero.
        for flag in [8, 16] as [UInt8] where flags & flag != 0 {
            guard let end = rest.firstIndex(of: 0) else { return nil }
            rest = rest[(end + 1)...]
        }
        if flags & 2 != 0 { rest = rest.dropFirst(2) }
        return rest
    }

    private static func inflated(
        _ data: ArraySlice<UInt8>,
        most: Int
    ) throws(Problem) -> (content: [UInt8], consumed: Int, isWhole: Bool) {
        let (stream, isWhole) = data.withUnsafeBytes { bytes in
            var stream = Inflate(MemoryBytes(bytes: bytes), most: most, keepsOutput: true)
            do {
                try stream.readBlocks()
                return (stream, true)
            } catch {
                return (stream, false)
            }
        }
        guard stream.produced <= most else { throw .tooLong }
        guard isWhole || stream.consumed == data.count else { throw .damaged }
        return (stream.output, stream.consumed, isWhole)
    }

    /// The number of at most four bytes, the least significant first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Compressed bytes in memory, as one piece.
private struct MemoryBytes: InflateSource {
    var bytes: UnsafeRawBufferPointer?

    mutating func piece() -> UnsafeRawBufferPointer? {
        defer { bytes = nil }
        return bytes.flatMap { $0.isEmpty ? nil : $0 }
    }
}
