/// The image data of a PNG: the contents of successive chunks, which form one zlib stream.
struct PNGData: InflateSource {
    private static let checksumLength = 4

    private var reader: ByteReader
    /// The remaining bytes of the current chunk.
    private var left = 0
    private var isFirst = true

    /// Reads the data from a reader whose next chunk is the first of them. The chunks have been checked.
    init(_ reader: ByteReader) { self.reader = reader }

    mutating func piece() throws(ImageProblem) -> UnsafeRawBufferPointer? {
        while left == 0 {
            if !isFirst { reader.skip(Self.checksumLength) }
            isFirst = false
            guard let length = try Self.nextLength(&reader) else { return nil }
            left = length
        }
        let bytes = UnsafeRawBufferPointer(rebasing: try reader.ahead(1).prefix(left))
        reader.skip(bytes.count)
        left -= bytes.count
        return bytes
    }

    /// The position after a number of bytes of the data.
    ///
    /// - Parameters:
    ///   - reader: as for ``init(_:)``.
    ///   - count: at most the number of all bytes, at least 1.
    /// - Returns: the content of the chunk that contains the last of them, and the offset after it.
    static func end(after count: Int, in reader: ByteReader) throws(ImageProblem) -> (content: Range<Int>, offset: Int)
    {
        var (reader, left) = (reader, count)
        while let length = try nextLength(&reader) {
            let start = reader.offset
            if left <= length { return (start..<start + length, start + left) }
            left -= length
            reader.skip(length + checksumLength)
        }
        throw .truncated
    }

    /// Reads the head of the next chunk. Nil if it is not image data.
    private static func nextLength(_ reader: inout ByteReader) throws(ImageProblem) -> Int? {
        let length = try reader.bigEndian(4)
        return try reader.bigEndian(4) == PNGChunk.data ? length : nil
    }
}
